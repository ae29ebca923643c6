import assert from "node:assert/strict";
import { GrammarError } from "weir/full";

// Returns the GrammarError that `body` throws, which must have the code and a message with `says`.
export function failing(body, code, says) {
  let caught;
  assert.throws(body, (error) => ((caught = error), error instanceof GrammarError));
  assert.equal(caught.code, code, caught.message);
  assert.ok(caught.message.includes(says), caught.message);
  return caught;
}
