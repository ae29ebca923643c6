// The small language model in data/model, computed in JavaScript: for tests that need a model in a page, where the
// weights of real models would not fit.

function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);  // there are no infinities in the file
}

/** Returns the tensors of a safetensors file of 16-bit floats as 32-bit floats: name to `{ shape, data }`. */
export function readWeights(buffer) {
  const view = new DataView(buffer);
  const headerSize = Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, headerSize)));
  const weights = new Map();
  for (const [name, { dtype, shape, data_offsets }] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const [begin, end] = data_offsets;
    if (dtype !== "F16") throw new Error(`${name} has the type ${dtype}`);
    const data = new Float32Array((end - begin) / 2);
    for (let i = 0; i < data.length; i++) data[i] = fromHalf(view.getUint16(8 + headerSize + begin + 2 * i, true));
    weights.set(name, { shape, data });
  }
  return weights;
}

/** out[r] = sum over c of matrix[r][c] * vector[c] */
function multiply({ shape: [rows, columns], data }, vector) {
  const out = new Float32Array(rows);
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let c = 0, at = r * columns; c < columns; c++, at++) sum += data[at] * vector[c];
    out[r] = sum;
  }
  return out;
}

function normalize(vector, { data: scale }, epsilon) {
  let squares = 0;
  for (const x of vector) squares += x * x;
  const factor = 1 / Math.sqrt(squares / vector.length + epsilon);
  return vector.map((x, i) => x * factor * scale[i]);
}

/** Rotary positions: the two halves of each head are the coordinates of points that are rotated. */
function rotate(vector, position, headSize, base) {
  const half = headSize / 2;
  for (let head = 0; head < vector.length; head += headSize) {
    for (let i = 0; i < half; i++) {
      const angle = position / base ** (i / half);
      const [x, y] = [vector[head + i], vector[head + half + i]];
      vector[head + i] = x * Math.cos(angle) - y * Math.sin(angle);
      vector[head + half + i] = y * Math.cos(angle) + x * Math.sin(angle);
    }
  }
}

export class Llama {
  /**
   * @param config the parsed config.json
   * @param weights what readWeights returned
   */
  constructor(config, weights) {
    this.config = config;
    this.weights = weights;
  }

  /** Returns an empty cache of keys and values. */
  newCache() {
    return Array.from({ length: this.config.num_hidden_layers }, () => ({ keys: [], values: [] }));
  }

  embed(id) {
    const size = this.config.hidden_size;
    return this.weights.get("model.embed_tokens.weight").data.slice(id * size, (id + 1) * size);
  }

  #attend(query, { keys, values }) {
    const { head_dim: size } = this.config;
    const out = new Float32Array(query.length);
    for (let head = 0; head < query.length; head += size) {
      const scores = keys.map((key) => {
        let sum = 0;
        for (let i = head; i < head + size; i++) sum += query[i] * key[i];
        return sum / Math.sqrt(size);
      });
      const highest = Math.max(...scores);
      const shares = scores.map((score) => Math.exp(score - highest));
      const total = shares.reduce((sum, share) => sum + share, 0);
      values.forEach((value, j) => {
        for (let i = head; i < head + size; i++) out[i] += (shares[j] / total) * value[i];
      });
    }
    return out;
  }

  /** Reads one more token, given by its embedding, and returns the state from which `logits` computes the next one's. */
  step(embedding, cache) {
    const { config, weights } = this;
    const add = (a, b) => a.map((x, i) => x + b[i]);
    let state = embedding;
    cache.forEach((layer, index) => {
      const weight = (name) => weights.get(`model.layers.${index}.${name}.weight`);
      const input = normalize(state, weight("input_layernorm"), config.rms_norm_eps);
      const [query, key, value] = ["q", "k", "v"].map((name) => multiply(weight(`self_attn.${name}_proj`), input));
      for (const vector of [query, key]) rotate(vector, layer.keys.length, config.head_dim, config.rope_parameters.rope_theta);
      layer.keys.push(key);
      layer.values.push(value);
      state = add(state, multiply(weight("self_attn.o_proj"), this.#attend(query, layer)));
      const normalized = normalize(state, weight("post_attention_layernorm"), config.rms_norm_eps);
      const gate = multiply(weight("mlp.gate_proj"), normalized);
      const up = multiply(weight("mlp.up_proj"), normalized);
      state = add(state, multiply(weight("mlp.down_proj"), gate.map((x, i) => (x / (1 + Math.exp(-x))) * up[i])));
    });
    return state;
  }

  logits(state) {
    return multiply(this.weights.get("model.embed_tokens.weight"), normalize(state, this.weights.get("model.norm.weight"), this.config.rms_norm_eps));
  }
}
