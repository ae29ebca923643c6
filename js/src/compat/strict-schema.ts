// Strict mode of xgrammar: a schema that says nothing of other members or items allows none.

type Schema = Record<string, unknown>;

const isObject = (value: unknown): value is Schema => typeof value === "object" && value !== null && !Array.isArray(value);

/** Keywords whose values hold for the same value as the schema that they are in; only that schema may be closed. */
const IN_PLACE = ["allOf", "anyOf", "oneOf", "if", "then", "else", "not", "$ref", "$dynamicRef", "dependentSchemas"] as const;

function hasEarlierDraft(schema: Schema): boolean {
  return typeof schema["$schema"] === "string" && /draft-0[3467]/.test(schema["$schema"]);
}

// `isClosed`: an enclosing schema in the same place closes the value already.
function close(schema: unknown, isEarlier: boolean, isClosed: boolean): unknown {
  if (!isObject(schema)) return schema;
  const out: Schema = { ...schema };
  const ownInPlace = IN_PLACE.some((keyword) => keyword in schema);
  const closesObject = "properties" in schema || "patternProperties" in schema;
  const closesArray = "prefixItems" in schema || Array.isArray(schema["items"]);
  const inner = isClosed || (ownInPlace && (closesObject || closesArray));
  const each = (key: string, same: boolean) => {
    if (Array.isArray(out[key])) out[key] = (out[key] as unknown[]).map((s) => close(s, isEarlier, same));
    else if (isObject(out[key])) out[key] = close(out[key], isEarlier, same);
  };
  for (const key of ["items", "prefixItems", "additionalItems", "additionalProperties", "contains", "unevaluatedItems", "unevaluatedProperties", "propertyNames"]) each(key, false);
  for (const key of ["anyOf", "oneOf"]) each(key, inner);
  for (const key of ["allOf", "if", "then", "else", "not"]) each(key, true);
  for (const key of ["properties", "patternProperties", "$defs", "definitions"]) {
    const map = out[key];
    if (isObject(map)) out[key] = Object.fromEntries(Object.entries(map).map(([name, s]) => [name, close(s, isEarlier, false)]));
  }
  if (isClosed) return out;
  const saysObject = "additionalProperties" in schema || "unevaluatedProperties" in schema;
  if (!saysObject && closesObject) out[ownInPlace && !isEarlier ? "unevaluatedProperties" : "additionalProperties"] = false;
  const saysArray = "additionalItems" in schema || "unevaluatedItems" in schema || ("prefixItems" in schema && "items" in schema);
  if (!saysArray && closesArray) out["prefixItems" in schema ? "items" : "additionalItems"] = false;
  return out;
}

/** Returns the text of a schema that allows no members and no items but those that `schema` names. */
export function strictSchema(schema: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(schema);
  } catch {
    return schema;  // the reader says what is wrong with it, and where
  }
  return isObject(parsed) ? JSON.stringify(close(parsed, hasEarlierDraft(parsed), false)) : schema;
}
