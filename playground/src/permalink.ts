// Links that contain what the page shows, in the fragment, which browsers do not send to servers.

const VERSION = "1";

const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const fromBase64 = (text: string) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  // If data is damaged, the reader reports the error; the writer's promises only repeat it.
  writer.write(bytes as BufferSource).catch(() => undefined);
  writer.close().catch(() => undefined);
  const chunks: Uint8Array[] = [];
  const reader = stream.readable.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

/** Returns a fragment: the version, and the state as compressed JSON. */
export async function toFragment(state: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return `#${VERSION}${toBase64(await through(bytes, new CompressionStream("deflate-raw")))}`;
}

/** Returns the state of a fragment. Throws if it is damaged, or none of toFragment's. */
export async function fromFragment(fragment: string): Promise<unknown> {
  if (!fragment.startsWith(`#${VERSION}`)) throw new Error("the fragment is of another version");
  const bytes = await through(fromBase64(fragment.slice(1 + VERSION.length)), new DecompressionStream("deflate-raw"));
  return JSON.parse(new TextDecoder().decode(bytes));
}
