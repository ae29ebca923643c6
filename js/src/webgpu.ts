// Applies masks on a GPU, with WebGPU.
import { bitmaskOf, describe, wholeNumber } from "./arguments.js";
import { invalid } from "./errors.js";
import { bitmaskWords } from "./matcher.js";

// What is used of WebGPU, because older versions of TypeScript do not have its types. A GPUDevice is a WebGPUDevice.
/** A GPUBuffer. */
export interface WebGPUBuffer {
  readonly size: number;
  destroy(): unknown;
}
interface ComputePass {
  setPipeline(pipeline: object): unknown;
  setBindGroup(index: number, group: object): unknown;
  dispatchWorkgroups(x: number, y: number, z: number): unknown;
  end(): unknown;
}
/** A GPUDevice. */
export interface WebGPUDevice {
  readonly queue: { writeBuffer(buffer: object, offset: number, data: object): unknown; submit(buffers: object[]): unknown };
  createShaderModule(descriptor: { code: string }): object;
  createComputePipeline(descriptor: object): { getBindGroupLayout(index: number): object };
  createBuffer(descriptor: { size: number; usage: number }): WebGPUBuffer;
  createBindGroup(descriptor: object): object;
  createCommandEncoder(): { beginComputePass(): ComputePass; finish(): object };
}

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
const pipelines = new WeakMap<WebGPUDevice, { getBindGroupLayout(index: number): object }>();

/**
 * Sets the logits of all tokens that the mask does not allow to minus infinity, on the GPU. The call submits the work
 * and returns at once. Work that is submitted later uses the masked logits.
 *
 * @param logits a storage buffer of float32, `rows` rows of `vocabSize`
 * @param bitmask one row of ceil(vocabSize / 32) words for each row of logits: an array, or a storage buffer with the
 *   words
 * @throws GrammarError a buffer or an array of another size
 */
export function applyBitmask(device: WebGPUDevice, logits: WebGPUBuffer, bitmask: Int32Array | Uint32Array | WebGPUBuffer, vocabSize?: number): void {
  if (typeof (device as WebGPUDevice | null | undefined)?.createShaderModule !== "function") throw invalid(`\`device\` must be a GPUDevice, not ${describe(device)}`);
  const size = sizeOf(logits, "logits");
  const width = wholeNumber(vocabSize ?? size / 4, "vocabSize", 0xffffffff, 1);
  const rows = size / (4 * width);
  const words = bitmaskWords(width);
  if (!Number.isInteger(rows) || rows === 0) throw invalid(`a buffer of ${size} bytes does not hold rows of ${width} float32`);
  const array = ArrayBuffer.isView(bitmask) ? bitmaskOf(bitmask, "bitmask") : undefined;
  const given = array ? array.length : sizeOf(bitmask, "bitmask") / 4;
  if (given !== rows * words) throw invalid(`\`bitmask\` has ${given} words, not ${rows * words}`);
  let pipeline = pipelines.get(device);
  if (!pipeline) {
    const module = device.createShaderModule({ code: APPLY_BITMASK_WGSL });
    pipelines.set(device, (pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } })));
  }
  // GPUBufferUsage.STORAGE | COPY_DST and UNIFORM | COPY_DST as numbers, because only browsers have the constants.
  const masks = array ? device.createBuffer({ size: 4 * given, usage: 0x80 | 0x08 }) : (bitmask as WebGPUBuffer);
  if (array) device.queue.writeBuffer(masks, 0, array);
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
  if (array) masks.destroy();
}

/** Returns the size of a buffer in bytes. */
function sizeOf(buffer: unknown, name: string): number {
  const size: unknown = (buffer as { size?: unknown } | null | undefined)?.size;
  if (typeof size !== "number") throw invalid(`\`${name}\` must be ${name === "bitmask" ? "an Int32Array, a Uint32Array or " : ""}a GPUBuffer, not ${describe(buffer)}`);
  return size;
}
