// Writes the small language model in data/model as an ONNX file with the inputs and outputs that transformers.js
// expects of a causal language model: input_ids, attention_mask, position_ids and the past keys and values; logits and
// the present keys and values. The batch and the lengths are free. Padding may be anywhere.
//
// An ONNX file is a protocol buffer. The field numbers are those of onnx.proto (IR version 8, operators of version 17).

// ---- Protocol buffers -----------------------------------------------------------------------------------------------

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field, value) => {
  const data = Buffer.from(value);
  return Buffer.concat([varint((field << 3) | 2), varint(data.length), data]);
};

// ---- Parts of a graph -----------------------------------------------------------------------------------------------

const FLOAT = 1, INT64 = 7;

function tensor(name, type, shape, raw) {
  return Buffer.concat([...shape.map((size) => number(1, size)), number(2, type), bytes(8, name), bytes(9, raw)]);
}
function valueInfo(name, type, shape) {
  const dims = shape.map((size) => bytes(1, typeof size === "string" ? bytes(2, size) : number(1, size)));
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, Buffer.concat([number(1, type), bytes(2, Buffer.concat(dims))])))]);
}
function attribute(name, value) {
  const INT = 2, INTS = 7;
  if (Array.isArray(value)) return Buffer.concat([bytes(1, name), ...value.map((one) => number(8, one)), number(20, INTS)]);
  return Buffer.concat([bytes(1, name), number(3, value), number(20, INT)]);
}

class Graph {
  nodes = [];
  constants = new Map();
  #count = 0;

  /** Adds a node and returns the name of its result. */
  add(operator, inputs, attributes = {}, output = `${operator}_${this.#count++}`) {
    this.nodes.push(Buffer.concat([...inputs.map((one) => bytes(1, one)), bytes(2, output), bytes(4, operator),
      ...Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value)))]));
    return output;
  }
  floats(name, shape, values) {
    const data = Float32Array.from(values);
    this.constants.set(name, tensor(name, FLOAT, shape, Buffer.from(data.buffer)));
    return name;
  }
  float(value) {
    return this.floats(`float ${value}`, [], [value]);
  }
  /** A list of integers. */
  list(...values) {
    const name = `integers ${values.join(" ")}`;
    this.constants.set(name, tensor(name, INT64, [values.length], Buffer.from(BigInt64Array.from(values, BigInt).buffer)));
    return name;
  }
}

// ---- The model ------------------------------------------------------------------------------------------------------

/**
 * @param config the parsed config.json
 * @param weights what readWeights of model.mjs returned
 * @returns the bytes of the file
 */
export function makeOnnx(config, weights) {
  const g = new Graph();
  const { num_attention_heads: heads, head_dim: size, hidden_size: width, vocab_size: vocab } = config;
  const weight = (name) => g.floats(name, weights.get(name).shape, weights.get(name).data);
  const product = (input, name) => g.add("MatMul", [input, g.add("Transpose", [weight(name)], { perm: [1, 0] })]);
  const slice = (input, from, to, axis) => g.add("Slice", [input, g.list(from), g.list(to), g.list(axis)]);
  const normalize = (input, name) => {
    const squares = g.add("ReduceMean", [g.add("Mul", [input, input])], { axes: [-1], keepdims: 1 });
    const root = g.add("Sqrt", [g.add("Add", [squares, g.float(config.rms_norm_eps)])]);
    return g.add("Mul", [g.add("Div", [input, root]), weight(name)]);
  };
  const inputs = [["input_ids", ["batch", "length"]], ["attention_mask", ["batch", "total"]], ["position_ids", ["batch", "length"]]]
    .map(([name, shape]) => valueInfo(name, INT64, shape));
  const outputs = [valueInfo("logits", FLOAT, ["batch", "length", vocab])];

  const table = weight("model.embed_tokens.weight");
  let state = g.add("Gather", [table, "input_ids"]);

  // The angles of the rotary positions, [batch, 1, length, size]: each half of a head has the same ones.
  const rates = Array.from({ length: size }, (_, i) => config.rope_parameters.rope_theta ** (-(i % (size / 2)) / (size / 2)));
  const positions = g.add("Unsqueeze", [g.add("Cast", ["position_ids"], { to: FLOAT }), g.list(1, 3)]);
  const angles = g.add("Mul", [positions, g.floats("rates", [1, 1, 1, size], rates)]);
  const cosines = g.add("Cos", [angles]);
  const sines = g.add("Sin", [angles]);
  const rotate = (input) => {
    const turned = g.add("Concat", [g.add("Neg", [slice(input, size / 2, size, 3)]), slice(input, 0, size / 2, 3)], { axis: 3 });
    return g.add("Add", [g.add("Mul", [input, cosines]), g.add("Mul", [turned, sines])]);
  };

  // Row i of a chunk is token total - length + i. It sees the tokens up to itself that the attention mask has.
  const last = (name, axis) => g.add("Gather", [g.add("Shape", [name]), g.list(axis)]);
  const scalar = (name) => g.add("Squeeze", [name, g.list(0)]);
  const [zero, one] = [scalar(g.list(0)), scalar(g.list(1))];
  const length = last("input_ids", 1);
  const total = last("attention_mask", 1);
  const columns = g.add("Range", [zero, scalar(total), one]);
  const rows = g.add("Add", [g.add("Range", [zero, scalar(length), one]), g.add("Sub", [total, length])]);
  const isBefore = g.add("LessOrEqual", [g.add("Unsqueeze", [columns, g.list(0)]), g.add("Unsqueeze", [rows, g.list(1)])]);
  const isToken = g.add("Cast", [g.add("Unsqueeze", ["attention_mask", g.list(1, 2)])], { to: 9 });
  const isSeen = g.add("And", [g.add("Unsqueeze", [isBefore, g.list(0, 1)]), isToken]);
  const penalty = g.add("Where", [isSeen, g.float(0), g.float(-1e9)]);

  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    const name = (part) => `model.layers.${layer}.${part}.weight`;
    const input = normalize(state, name("input_layernorm"));
    const split = (part) => g.add("Transpose", [g.add("Reshape", [product(input, name(`self_attn.${part}_proj`)), g.list(0, 0, heads, size)])], { perm: [0, 2, 1, 3] });
    const query = rotate(split("q"));
    const [keys, values] = [["key", rotate(split("k"))], ["value", split("v")]].map(([kind, fresh]) => {
      inputs.push(valueInfo(`past_key_values.${layer}.${kind}`, FLOAT, ["batch", heads, "past", size]));
      outputs.push(valueInfo(`present.${layer}.${kind}`, FLOAT, ["batch", heads, "total", size]));
      return g.add("Concat", [`past_key_values.${layer}.${kind}`, fresh], { axis: 2 }, `present.${layer}.${kind}`);
    });
    const scores = g.add("Div", [g.add("MatMul", [query, g.add("Transpose", [keys], { perm: [0, 1, 3, 2] })]), g.float(Math.sqrt(size))]);
    const shares = g.add("Softmax", [g.add("Add", [scores, penalty])], { axis: -1 });
    const joined = g.add("Reshape", [g.add("Transpose", [g.add("MatMul", [shares, values])], { perm: [0, 2, 1, 3] }), g.list(0, 0, width)]);
    state = g.add("Add", [state, product(joined, name("self_attn.o_proj"))]);
    const normalized = normalize(state, name("post_attention_layernorm"));
    const gate = product(normalized, name("mlp.gate_proj"));
    const active = g.add("Mul", [g.add("Mul", [gate, g.add("Sigmoid", [gate])]), product(normalized, name("mlp.up_proj"))]);
    state = g.add("Add", [state, product(active, name("mlp.down_proj"))]);
  }
  g.add("MatMul", [normalize(state, "model.norm.weight"), g.add("Transpose", [table], { perm: [1, 0] })], {}, "logits");

  const graph = Buffer.concat([...g.nodes.map((node) => bytes(1, node)), bytes(2, "model"), ...[...g.constants.values()].map((one) => bytes(5, one)),
    ...inputs.map((one) => bytes(11, one)), ...outputs.map((one) => bytes(12, one))]);
  const OPERATORS = 17;
  return Buffer.concat([number(1, 8), bytes(2, "weir"), bytes(7, graph), bytes(8, Buffer.concat([bytes(1, ""), number(2, OPERATORS)]))]);
}
