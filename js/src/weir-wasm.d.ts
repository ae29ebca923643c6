/** weir.wasm in base64. tools/build.mjs writes the script. */
export declare const base64: string;
