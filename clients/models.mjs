// The objects of docs/api/openapi.json, as the clients of languages need them that have no generator of their own.
import { eventsOf, operationsOf } from './operations.mjs';

const PREVIOUS_STATUS = {
  type: ['string', 'null'],
  description: 'Only in events: what `status` was before. Absent where that says nothing.',
};

const pascal = (name) => name.replace(/(^|_)(\w)/g, (_, __, letter) => letter.toUpperCase());
const nameOf = ($ref) => $ref.split('/').at(-1);
const isNull = ({ type }) => type === 'null';

/** `{ kind, isNullable }`: model (name), values (values), list and map (of), string, integer, boolean, null, any. */
function typeOf(schema, name, found) {
  if (schema.$ref) return { kind: 'model', name: nameOf(schema.$ref), isNullable: false };
  if (schema.allOf?.length === 1) return typeOf(schema.allOf[0], name, found);
  if (schema.anyOf) {
    const [one, ...others] = schema.anyOf.filter((part) => !isNull(part));
    if (others.length > 0) throw new Error(`${name} is one of several`);
    return { ...typeOf(one, name, found), isNullable: schema.anyOf.some(isNull) };
  }
  const types = [schema.type].flat();
  const isNullable = types.length > 1 && types.includes('null');
  const values = 'const' in schema ? [schema.const] : schema.enum;
  if (values) return { kind: 'values', values: values.filter((value) => value !== null), isNullable };
  const [kind] = types.filter((type) => type !== 'null' || types.length === 1);
  if (kind === 'array') return { kind: 'list', of: typeOf(schema.items, name.replace(/s$/, ''), found), isNullable };
  if (kind !== 'object') return { kind: kind ?? 'any', isNullable };
  if (schema.properties) {
    found.push(modelOf(name, schema, found));
    return { kind: 'model', name, isNullable };
  }
  const of = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  return { kind: 'map', of: typeOf(of, name, found), isNullable };
}

function modelOf(name, { properties = {}, required = [], oneOf, description }, found) {
  const fields = Object.entries(properties).map(([field, schema]) => ({
    name: field,
    type: typeOf(schema, name + pascal(field), found),
    isRequired: required.includes(field),
    description: schema.description,
  }));
  return { name, description, fields, variants: oneOf ? variantsOf(name, oneOf) : null };
}

/** One field (`tag`) tells what another one (`field`) is: `of` has the model for each value. */
function variantsOf(name, oneOf) {
  const [tag] = Object.entries(oneOf[0].properties).find(([, schema]) => 'const' in schema);
  const [field] = Object.entries(oneOf[0].properties).find(([, schema]) => '$ref' in schema);
  const of = oneOf.map(({ properties }) => ({ value: properties[tag].const, model: nameOf(properties[field].$ref) }));
  if (of.some(({ value, model }) => !value || !model)) throw new Error(`${name} has variants of a new form`);
  return { tag, field, of };
}

/** Every schema but those of single events: `{ name, description, fields, variants }`. */
export function modelsOf(document) {
  const events = eventsOf(document);
  const ofEvents = new Set(events.map(({ object }) => object));
  const single = new Set(
    Object.values(document.webhooks).map(({ post }) =>
      nameOf(post.requestBody.content['application/json'].schema.$ref),
    ),
  );
  const dry = new Set(operationsOf(document).flatMap(({ canRunDry, body }) => (canRunDry ? [body] : [])));
  const found = [];
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (single.has(name)) continue;
    const properties = { ...schema.properties };
    // Dry runs are asked for by an option.
    if (dry.has(name)) delete properties.dry_run;
    if (ofEvents.has(name)) properties.previous_status ??= PREVIOUS_STATUS;
    found.push(modelOf(name, { ...schema, properties }, found));
  }
  return found;
}

/** The model of the rows of a list. */
export const rowOf = (document, list) => nameOf(document.components.schemas[list].properties.data.items.$ref);

/** What a query takes. */
export function queryOf(document, { path, method, id }) {
  const { parameters } = document.paths[path][method.toLowerCase()];
  const resolved = parameters.map((one) => (one.$ref ? document.components.parameters[nameOf(one.$ref)] : one));
  // Answers are JSON here.
  const asked = resolved.filter((one) => one.in === 'query' && one.name !== 'format');
  const properties = Object.fromEntries(
    asked.map(({ name, schema, description }) => [name, { description, ...schema }]),
  );
  const required = asked.filter((one) => one.required).map(({ name }) => name);
  return modelOf(`${pascal(id)}Query`, { properties, required }, []);
}
