// Applies masks on a GPU, with WebGPU.
import { invalid } from "./errors.js";
import { bitmaskWords } from "./matcher.js";

/** The shader, with one invocation for each logit. It sets logits of tokens not in the mask to `minusInfinity`. */
export const APPLY_BITMASK_WGSL = /* wgsl */ `
struct Shape {
  rows: u32,
  vocab: u32,
  words: u32,
  stride: u32,
}
@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> bitmask: array<u32>;
@group(0) @binding(2) var<storage, read_write> logits: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let token = id.x + id.z * shape.stride;
  let row = id.y;
  if (token >= shape.vocab || row >= shape.rows) {
    return;
  }
  let word = bitmask[row * shape.words + token / 32u];
  if (((word >> (token % 32u)) & 1u) == 0u) {
    logits[row * shape.vocab + token] = 0xff800000u;
  }
}
`;

const WORKGROUP = 256;
const MAX_GROUPS = 65535;
const pipelines = new WeakMap<GPUDevice, GPUComputePipeline>();

/**
 * Sets the logits of all tokens that the mask does not allow to minus infinity, on the GPU. The call submits the work
 * and returns at once. Work that is submitted later uses the masked logits.
 *
 * @param logits a storage buffer of float32, `rows` rows of `vocabSize`
 * @param bitmask one row of ceil(vocabSize / 32) words for each row of logits: an array, or a storage buffer with the
 *   words
 * @throws GrammarError a buffer or an array of another size
 */
export function applyBitmask(device: GPUDevice, logits: GPUBuffer, bitmask: Int32Array | Uint32Array | GPUBuffer, vocabSize?: number): void {
  const isArray = ArrayBuffer.isView(bitmask);
  const width = vocabSize ?? logits.size / 4;
  const rows = logits.size / (4 * width);
  const words = bitmaskWords(width);
  if (!Number.isInteger(rows) || rows === 0) throw invalid(`a buffer of ${logits.size} bytes does not hold rows of ${width} float32`);
  const given = isArray ? bitmask.length : bitmask.size / 4;
  if (given !== rows * words) throw invalid(`\`bitmask\` has ${given} words, not ${rows * words}`);
  let pipeline = pipelines.get(device);
  if (!pipeline) {
    const module = device.createShaderModule({ code: APPLY_BITMASK_WGSL });
    pipelines.set(device, (pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } })));
  }
  // GPUBufferUsage.STORAGE | COPY_DST and UNIFORM | COPY_DST as numbers, because only browsers have the constants.
  const masks = isArray ? device.createBuffer({ size: 4 * given, usage: 0x80 | 0x08 }) : bitmask;
  if (isArray) device.queue.writeBuffer(masks, 0, bitmask as Uint32Array<ArrayBuffer>);
  const groups = Math.ceil(width / WORKGROUP);
  const shape = device.createBuffer({ size: 16, usage: 0x40 | 0x08 });
  device.queue.writeBuffer(shape, 0, Uint32Array.of(rows, width, words, MAX_GROUPS * WORKGROUP));
  const bindings = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [shape, masks, logits].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, bindings);
  pass.dispatchWorkgroups(Math.min(groups, MAX_GROUPS), rows, Math.ceil(groups / MAX_GROUPS));
  pass.end();
  device.queue.submit([encoder.finish()]);
  shape.destroy();
  if (isArray) masks.destroy();
}
