// Inference of the project's small Llama (data/model) in JavaScript: 1.8 million float32 numbers, a few milliseconds a
// token. The C++ program examples/language_model does the same.

interface Matrix {
  inputs: number;
  outputs: number;
  /** Column by column: the weights of input i are at i * outputs. */
  weights: Float32Array;
}

interface Layer {
  attentionNorm: Float32Array;
  feedForwardNorm: Float32Array;
  query: Matrix;
  key: Matrix;
  value: Matrix;
  output: Matrix;
  gate: Matrix;
  up: Matrix;
  down: Matrix;
  keys: Float32Array;
  values: Float32Array;
}

function fromHalf(half: number): number {
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  const sign = half & 0x8000 ? -1 : 1;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Reads float16 tensors of a safetensors file: the size of the header, the header as JSON, the data. */
function tensors(file: Uint8Array): (name: string) => Float32Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const size = Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + size))) as Record<string, { dtype: string; data_offsets: [number, number] }>;
  return (name) => {
    const entry = header[name];
    if (entry?.dtype !== "F16") throw new Error(`the model has no float16 tensor ${name}`);
    const [begin, end] = entry.data_offsets;
    return Float32Array.from({ length: (end - begin) / 2 }, (_, i) => fromHalf(view.getUint16(8 + size + begin + 2 * i, true)));
  };
}

function multiply({ inputs, outputs, weights }: Matrix, input: Float32Array, output: Float32Array): void {
  output.fill(0);
  for (let i = 0, at = 0; i < inputs; i++, at += outputs) {
    const factor = input[i]!;
    for (let o = 0; o < outputs; o++) output[o]! += factor * weights[at + o]!;
  }
}

function normalize(input: Float32Array, weights: Float32Array, epsilon: number, output: Float32Array): void {
  let square = 0;
  for (const x of input) square += x * x;
  const scale = 1 / Math.sqrt(square / input.length + epsilon);
  for (let i = 0; i < input.length; i++) output[i] = input[i]! * scale * weights[i]!;
}

function add(to: Float32Array, what: Float32Array): void {
  for (let i = 0; i < to.length; i++) to[i]! += what[i]!;
}

export interface LlamaConfig {
  hidden_size: number;
  intermediate_size: number;
  vocab_size: number;
  num_attention_heads: number;
  num_key_value_heads: number;
  num_hidden_layers: number;
  max_position_embeddings: number;
  rms_norm_eps: number;
  rope_parameters: { rope_theta: number };
}

/** A Llama with one text, as in transformers: tied embeddings, as many heads of keys as of queries. */
export class Llama {
  readonly #config: LlamaConfig;
  readonly #embedding: Float32Array;
  readonly #head: Matrix;
  readonly #norm: Float32Array;
  readonly #layers: Layer[] = [];
  #length = 0;

  constructor(config: LlamaConfig, file: Uint8Array) {
    const { hidden_size: width, intermediate_size: inner, vocab_size: vocab } = config;
    if (config.num_key_value_heads !== config.num_attention_heads) throw new Error("groups of heads are not read");
    const read = tensors(file);
    const matrix = (name: string, outputs: number, inputs: number): Matrix => {
      const rows = read(`${name}.weight`);
      const weights = new Float32Array(inputs * outputs);
      for (let o = 0; o < outputs; o++) for (let i = 0; i < inputs; i++) weights[i * outputs + o] = rows[o * inputs + i]!;
      return { inputs, outputs, weights };
    };
    this.#config = config;
    this.#embedding = read("model.embed_tokens.weight");
    this.#head = matrix("model.embed_tokens", vocab, width);
    this.#norm = read("model.norm.weight");
    for (let i = 0; i < config.num_hidden_layers; i++) {
      const at = `model.layers.${i}`;
      this.#layers.push({
        attentionNorm: read(`${at}.input_layernorm.weight`), feedForwardNorm: read(`${at}.post_attention_layernorm.weight`),
        query: matrix(`${at}.self_attn.q_proj`, width, width), key: matrix(`${at}.self_attn.k_proj`, width, width),
        value: matrix(`${at}.self_attn.v_proj`, width, width), output: matrix(`${at}.self_attn.o_proj`, width, width),
        gate: matrix(`${at}.mlp.gate_proj`, inner, width), up: matrix(`${at}.mlp.up_proj`, inner, width), down: matrix(`${at}.mlp.down_proj`, width, inner),
        keys: new Float32Array(config.max_position_embeddings * width), values: new Float32Array(config.max_position_embeddings * width),
      });
    }
  }

  /** The most tokens of a text. */
  get longest(): number {
    return this.#config.max_position_embeddings;
  }

  reset(): void {
    this.#length = 0;
  }

  /** Appends a token and returns the logits of the next one. */
  append(token: number): Float32Array {
    const { hidden_size: width, rms_norm_eps: epsilon, vocab_size: vocab } = this.#config;
    if (this.#length >= this.longest) throw new Error(`the model reads at most ${this.longest} tokens`);
    const stream = this.#embedding.slice(token * width, (token + 1) * width);
    for (const layer of this.#layers) {
      this.#attend(layer, stream);
      this.#feedForward(layer, stream);
    }
    this.#length++;
    const normed = new Float32Array(width);
    normalize(stream, this.#norm, epsilon, normed);
    const logits = new Float32Array(vocab);
    multiply(this.#head, normed, logits);
    return logits;
  }

  /** Rotary positions: rotates pairs of numbers, half a head apart, by an angle that grows with the position. */
  #turn(heads: Float32Array): void {
    const size = heads.length / this.#config.num_attention_heads;
    for (let i = 0; i < size / 2; i++) {
      const angle = this.#length / this.#config.rope_parameters.rope_theta ** ((2 * i) / size);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let head = 0; head < heads.length; head += size) {
        const [a, b] = [heads[head + i]!, heads[head + size / 2 + i]!];
        heads[head + i] = a * c - b * s;
        heads[head + size / 2 + i] = b * c + a * s;
      }
    }
  }

  #attend(layer: Layer, stream: Float32Array): void {
    const width = stream.length;
    const size = width / this.#config.num_attention_heads;
    const [normed, query, mixed] = [new Float32Array(width), new Float32Array(width), new Float32Array(width)];
    const key = layer.keys.subarray(this.#length * width, (this.#length + 1) * width);
    normalize(stream, layer.attentionNorm, this.#config.rms_norm_eps, normed);
    multiply(layer.query, normed, query);
    multiply(layer.key, normed, key);
    multiply(layer.value, normed, layer.values.subarray(this.#length * width, (this.#length + 1) * width));
    this.#turn(query);
    this.#turn(key);
    const scores = new Float32Array(this.#length + 1);
    for (let head = 0; head < width; head += size) {
      let most = -Infinity;
      for (let i = 0; i < scores.length; i++) {
        let sum = 0;
        for (let j = 0; j < size; j++) sum += query[head + j]! * layer.keys[i * width + head + j]!;
        scores[i] = sum / Math.sqrt(size);
        most = Math.max(most, scores[i]!);
      }
      let total = 0;
      for (let i = 0; i < scores.length; i++) total += scores[i] = Math.exp(scores[i]! - most);
      for (let i = 0; i < scores.length; i++) {
        const share = scores[i]! / total;
        for (let j = 0; j < size; j++) mixed[head + j]! += share * layer.values[i * width + head + j]!;
      }
    }
    multiply(layer.output, mixed, normed);
    add(stream, normed);
  }

  #feedForward({ feedForwardNorm, gate, up, down }: Layer, stream: Float32Array): void {
    const normed = new Float32Array(stream.length);
    const [gated, raised] = [new Float32Array(gate.outputs), new Float32Array(up.outputs)];
    normalize(stream, feedForwardNorm, this.#config.rms_norm_eps, normed);
    multiply(gate, normed, gated);
    multiply(up, normed, raised);
    for (let i = 0; i < gated.length; i++) gated[i] = (gated[i]! / (1 + Math.exp(-gated[i]!))) * raised[i]!;
    multiply(down, gated, normed);
    add(stream, normed);
  }
}
