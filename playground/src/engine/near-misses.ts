// Changes a JSON value in one place, in the ways in which models get values wrong.

export type JSONValue = null | boolean | number | string | JSONValue[] | { [key: string]: JSONValue };

export interface Change {
  value: JSONValue;
  /** "without `name`", "`/tags/0` is a number" */
  what: string;
}

const nameOf = (path: readonly (string | number)[]) => (path.length === 0 ? "the value" : `\`${path.map((part) => `/${part}`).join("")}\``);

function* changesOf(value: JSONValue, path: (string | number)[]): Generator<Change> {
  const name = nameOf(path);
  if (typeof value === "string") {
    yield { value: "", what: `${name} is empty` };
    yield { value: value.length > 0 ? value.slice(0, -1) : "x", what: `${name} is cut short` };
    yield { value: `${value}~`, what: `${name} ends with ~` };
    yield { value: value.repeat(1 + Math.ceil(300 / Math.max(value.length, 1))), what: `${name} is long` };
    yield { value: 0, what: `${name} is a number` };
  } else if (typeof value === "number") {
    yield { value: -value - 1e9, what: `${name} is very small` };
    yield { value: value + 1e9, what: `${name} is very large` };
    yield { value: value + 0.37, what: `${name} has other decimals` };
    yield { value: String(value), what: `${name} is a string` };
  } else if (typeof value === "boolean") {
    yield { value: !value, what: `${name} is ${!value}` };
    yield { value: String(value), what: `${name} is a string` };
  } else if (Array.isArray(value)) {
    yield { value: [], what: `${name} is empty` };
    if (value.length > 0) {
      yield { value: [...value, value[value.length - 1]!], what: `the last item of ${name} is there twice` };
      yield { value: Array.from({ length: 64 }, (_, i) => value[i % value.length]!), what: `${name} has 64 items` };
      yield { value: value.slice(0, -1), what: `${name} has an item less` };
    }
    for (let i = 0; i < value.length; i++) {
      for (const { value: item, what } of changesOf(value[i]!, [...path, i])) yield { value: value.with(i, item), what };
    }
  } else if (value !== null) {
    for (const key of Object.keys(value)) {
      const { [key]: _, ...rest } = value;
      yield { value: rest, what: `without ${nameOf([...path, key])}` };
    }
    yield { value: { ...value, unexpected: true }, what: path.length === 0 ? "one member more" : `${name} has one member more` };
    for (const key of Object.keys(value)) {
      for (const { value: member, what } of changesOf(value[key]!, [...path, key])) yield { value: { ...value, [key]: member }, what };
    }
  }
  if (value !== null) yield { value: null, what: `${name} is null` };
}

/** Lists the changes of a value, those of outer places first. */
export function* changes(value: JSONValue): Generator<Change> {
  yield* changesOf(value, []);
}

/** Writes a value with the separators that `sample` has. */
export function writeLike(sample: string, value: JSONValue): string {
  const hasBlanks = /[,:] /.test(sample) || !/[,:]/.test(sample);
  const write = (v: JSONValue): string => {
    if (typeof v !== "object" || v === null) return JSON.stringify(v);
    const [comma, colon] = hasBlanks ? [", ", ": "] : [",", ":"];
    if (Array.isArray(v)) return `[${v.map(write).join(comma)}]`;
    return `{${Object.entries(v).map(([key, member]) => JSON.stringify(key) + colon + write(member)).join(comma)}}`;
  };
  return write(value);
}
