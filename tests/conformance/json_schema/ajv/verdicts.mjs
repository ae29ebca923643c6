// Judges JSON values with Ajv: node verdicts.mjs < CASES > VERDICTS
//
// A line of CASES is {"schema", "values"}; a line of VERDICTS is {"valid": [true, false, …]} or {"error": text}.
// `format` is not asserted: which strings a format allows differs between validators.

import readline from 'node:readline';
import Ajv from 'ajv';
import Ajv2019 from 'ajv/dist/2019.js';
import Ajv2020 from 'ajv/dist/2020.js';
import AjvDraft4 from 'ajv-draft-04';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };

const options = { strict: false, validateFormats: false, validateSchema: false, logger: false };

/** Returns an Ajv for the draft that `$schema` names. One each time: schemas with the same `$id` would collide. */
function validatorFor(schema) {
  const draft = String(schema?.$schema ?? '');
  if (draft.includes('draft-04')) return new AjvDraft4(options);
  if (draft.includes('2019-09')) return new Ajv2019(options);
  if (draft.includes('2020-12')) return new Ajv2020(options);
  const ajv = new Ajv(options);
  ajv.addMetaSchema(draft6);
  return ajv;
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { schema, values } = JSON.parse(line);
  let answer;
  try {
    const validate = validatorFor(schema).compile(schema);
    answer = { valid: values.map((value) => validate(value)) };
  } catch (error) {
    answer = { error: String(error.message) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
