// Takes the place of TVM's runtime below web-llm's pipeline: tensors, and the functions of a compiled model, which here
// is the small language model in JavaScript. Like a GPU, the device runs what was queued when it is synchronised:
// functions return tensors whose data are not computed yet.

const ARRAYS = { int32: Int32Array, float32: Float32Array };

class Device {
  #queue = [];
  enqueue(work) {
    this.#queue.push(work);
  }
  async sync() {
    while (this.#queue.length > 0) await this.#queue.shift()();
  }
}

class Tensor {
  constructor(device, shape, dtype, storage = { data: new ARRAYS[dtype](shape.reduce((a, b) => a * b, 1)) }) {
    Object.assign(this, { device, shape, dtype, storage });
  }
  get data() {
    return this.storage.data;
  }
  view(shape) {
    return new Tensor(this.device, shape, this.dtype, this.storage);
  }
  copyFrom(source) {
    const values = source instanceof Tensor ? undefined : ARRAYS[this.dtype].from(source);
    const { length } = values ?? source.data;
    if (length !== this.data.length) throw new Error(`${length} values for a tensor of the shape [${this.shape}]`);
    this.device.enqueue(() => this.data.set(values ?? source.data));
    return this;
  }
  toArray() {
    return this.data.slice();
  }
  dispose() {
    this.isDisposed = true;
  }
}

class Tuple {
  constructor(...parts) {
    this.parts = parts;
  }
  get(i) {
    return this.parts[i];
  }
}

/**
 * @param llama a Llama of model.mjs
 * @param applyMask (logits: Float32Array, bitmask: Int32Array) => void or a promise; what `apply_bitmask_inplace` does
 */
export class Runtime {
  counts = { masks: 0, prefills: 0, decodes: 0 };
  #random = 1;

  constructor(llama, applyMask) {
    Object.assign(this, { llama, applyMask, device: new Device() });
  }

  // ---- What the pipeline asks of the runtime ------------------------------------------------------------------------

  webgpu() {
    return this.device;
  }
  cpu() {
    return this.device;
  }
  empty(shape, dtype) {
    return new Tensor(this.device, shape, dtype);
  }
  uniform(shape) {
    this.#random = (Math.imul(this.#random, 1103515245) + 12345) >>> 0;
    return this.empty(shape, "float32").copyFrom([this.#random / 2 ** 32]);
  }
  setSeed(seed) {
    this.#random = seed >>> 0;
  }
  makeShapeTuple(sizes) {
    return sizes;
  }
  concatEmbeddings() {
    throw new Error("prompts have one part");
  }
  getParamsFromCacheByName() {
    return { dispose() {} };
  }
  beginScope() {}
  endScope() {}
  detachFromCurrentScope(object) {
    return object;
  }
  attachToCurrentScope(object) {
    return object;
  }
  dispose() {}

  createVirtualMachine() {
    return { getFunction: (name) => this.#function(name), dispose() {} };
  }
  getGlobalFunc(name) {
    return this.#function(name);
  }
  #function(name) {
    const body = { ...this.#model, ...this.#sampling, ...this.#caches }[name];
    return body && Object.assign((...args) => body(...args), { dispose() {} });
  }

  // ---- The functions of a compiled model ----------------------------------------------------------------------------

  #caches = {
    create_tir_paged_kv_cache: () => ({ dispose() {} }),
    "vm.builtin.kv_state_clear": (state) => { state.cache = undefined; },
    "vm.builtin.kv_state_add_sequence": (state) => { state.cache = this.llama.newCache(); },
    "vm.builtin.kv_state_remove_sequence": () => {},
    "vm.builtin.kv_state_begin_forward": () => {},
    "vm.builtin.kv_state_end_forward": () => {},
    "vm.builtin.attention_kv_cache_enable_sliding_window_for_seq": () => {},
  };

  #forward(embeddings, { cache }) {
    const [, length, width] = embeddings.shape;
    const logits = this.empty([1, 1, this.llama.config.vocab_size], "float32");
    this.device.enqueue(() => {
      let state;
      for (let i = 0; i < length; i++) state = this.llama.step(embeddings.data.slice(i * width, (i + 1) * width), cache);
      logits.data.set(this.llama.logits(state));
    });
    return new Tuple(logits);
  }
  #model = {
    _metadata: () => JSON.stringify({ prefill_chunk_size: 1024, params: [] }),
    embed: (ids) => {
      const width = this.llama.config.hidden_size;
      const out = this.empty([ids.shape[0], width], "float32");
      this.device.enqueue(() => ids.data.forEach((id, i) => out.data.set(this.llama.embed(id), i * width)));
      return out;
    },
    prefill: (embeddings, state) => (this.counts.prefills++, this.#forward(embeddings, state)),
    decode: (embeddings, state) => (this.counts.decodes++, this.#forward(embeddings, state)),
  };

  #sampling = {
    apply_bitmask_inplace: (logits, _rows, bitmask) => {
      this.counts.masks++;
      this.device.enqueue(() => this.applyMask(logits.data, bitmask.data));
    },
    apply_penalty_inplace: () => { throw new Error("the tests set no penalties"); },
    apply_logit_bias_inplace: () => { throw new Error("the tests set no biases"); },
    softmax_with_temperature: (logits, temperature) => {
      const out = this.empty(logits.shape, "float32");
      this.device.enqueue(() => {
        const highest = logits.data.reduce((a, b) => Math.max(a, b));
        const shares = logits.data.map((logit) => Math.exp((logit - highest) / temperature.data[0]));
        const total = shares.reduce((a, b) => a + b);
        out.data.set(shares.map((share) => share / total));
      });
      return out;
    },
    argsort_probs: (probabilities) => {
      const sorted = this.empty(probabilities.shape, "float32");
      const indices = this.empty(probabilities.shape, "int32");
      this.device.enqueue(() => {
        const { data } = probabilities;
        indices.data.set(Array.from(data, (_, i) => i).sort((a, b) => data[b] - data[a]));
        indices.data.forEach((index, rank) => (sorted.data[rank] = data[index]));
      });
      return new Tuple(sorted, indices);
    },
    sample_with_top_p: (sorted, indices, uniform, _rows, topP) => {
      const out = this.empty([1], "int32");
      this.device.enqueue(() => {
        let kept = 0, sum = 0;
        while (kept < sorted.data.length && (kept === 0 || sum < topP.data[0]) && sorted.data[kept] > 0) sum += sorted.data[kept++];
        let rest = uniform.data[0] * sum;
        let rank = 0;
        while (rank + 1 < kept && rest >= sorted.data[rank]) rest -= sorted.data[rank++];
        out.data[0] = indices.data[rank];
      });
      return out;
    },
  };
}
