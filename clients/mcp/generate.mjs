// Makes src/generated/tools.gen.ts from docs/api/openapi.json; --check: says whether it is fresh.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { camel, operationsOf } from '../operations.mjs';
import { emit } from '../emit.mjs';

const HERE = import.meta.dirname;
const document = JSON.parse(readFileSync(join(HERE, '../../docs/api/openapi.json'), 'utf8'));

/** They change nothing that anybody would miss: a quote is a price that is promised for a minute. */
const READ =
  `get_account list_wallets get_wallet list_wallet_entries list_wallet_holds get_wallet_statement list_transfers
  list_transactions get_transaction get_transaction_timeline check_reference check_idempotency_key
  list_payments get_payment list_refunds get_refund list_payouts get_payout list_deposits list_virtual_accounts
  list_cards get_card list_card_transactions list_card_transitions list_disputes get_dispute list_batches get_batch list_batch_items
  list_events get_event list_webhook_endpoints list_webhook_deliveries get_webhook_delivery
  look_up_phone list_airtime_networks list_data_plans list_billers list_biller_items validate_bill_customer
  list_banks resolve_bank_account list_beneficiaries list_rates create_quote`.split(/\s+/);
/** Each can run dry. */
const MONEY = `buy_airtime buy_data pay_bill transfer_between_wallets create_payout convert fund_card withdraw_from_card
  create_refund`.split(/\s+/);

const KEPT = ['type', 'description', 'enum', 'const', 'minimum', 'required', 'additionalProperties'];
const mapValues = (fields, map) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));

/** What a model needs of a schema, with nothing to look up. */
function shownOf({ $ref, ...schema }) {
  if ($ref) {
    const names = $ref.slice(2).split('/');
    return shownOf({ ...names.reduce((at, name) => at[name], document), ...schema });
  }
  const { example, items, properties, additionalProperties } = schema;
  const shown = Object.fromEntries(KEPT.filter((word) => word in schema).map((word) => [word, schema[word]]));
  for (const word of ['anyOf', 'oneOf', 'allOf']) if (schema[word]) shown[word] = schema[word].map(shownOf);
  if (example !== undefined) shown.examples = [example];
  if (items) shown.items = shownOf(items);
  if (properties) shown.properties = mapValues(properties, shownOf);
  if (typeof additionalProperties === 'object') shown.additionalProperties = shownOf(additionalProperties);
  return shown;
}

const TOKEN = {
  type: 'string',
  description:
    'Of the answer to the same call without it. Only after a person has agreed to what that answer said would happen.',
};

function toolOf(operation, isMoney) {
  const { id, method, path, summary, pathParameters, query, body, isPaged, canRunDry, canWait } = operation;
  if (isMoney && !canRunDry) throw new Error(`${id} cannot run dry`);
  const own = document.paths[path][method.toLowerCase()];
  const asked = (own.parameters ?? []).filter(
    (one) => (one.in === 'path' || one.in === 'query') && one.name !== 'format',
  );
  const sent = body ? shownOf(document.components.schemas[body]) : {};
  delete sent.properties?.dry_run;
  const inUrl = asked.map(({ name, description, schema }) => [
    name,
    shownOf({ ...schema, ...(description && { description }) }),
  ]);
  return {
    name: id,
    description: isMoney
      ? `${summary}. Moves nothing at first: answers with what would happen, and a confirmation_token for the second call.`
      : `${summary}.`,
    isMoney,
    resource: camel(operation.resource),
    method: camel(operation.name),
    path: pathParameters,
    sends: body ? 'body' : query.some((name) => name !== 'format') ? 'query' : null,
    isPaged,
    canWait,
    inputSchema: {
      type: 'object',
      properties: { ...Object.fromEntries(inUrl), ...sent.properties, ...(isMoney && { confirmation_token: TOKEN }) },
      required: [...asked.filter(({ required }) => required).map(({ name }) => name), ...(sent.required ?? [])],
      additionalProperties: false,
    },
  };
}

const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]));
const tools = [...READ.map((id) => [id, false]), ...MONEY.map((id) => [id, true])].map(([id, isMoney]) => {
  if (!operations.has(id)) throw new Error(`there is no operation ${id}`);
  return toolOf(operations.get(id), isMoney);
});
const text = `// Made by generate.mjs from docs/api/openapi.json.
import type { ApiTool } from '../tool.js';

export const TOOLS: readonly ApiTool[] = ${JSON.stringify(tools, null, 2)};
`;

emit(join(HERE, 'src/generated'), { 'tools.gen.ts': text }, { isWhole: true });
