import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Duka, DukaConnectionError, DukaError } from '../../typescript/src/index.js';
import { Confirmations } from './confirmations.js';
import { TOOLS } from './generated/tools.gen.js';
import type { ApiTool } from './tool.js';

type Arguments = Record<string, unknown>;

/** How long an order that is carried out may wait for its end. */
const WAIT_SECONDS = 20;
const INSTRUCTIONS =
  'Amounts are integers in minor units (kobo, cents). A tool that moves money moves nothing at first: it answers ' +
  'with what would happen and a confirmation_token. Show that to the person you work for. Only when they agree, call the ' +
  'tool again with the same arguments and the token. If an answer is lost, repeat that call: it has one effect.';

export interface ServerOptions {
  readonly version: string;
  /** How long an order may be confirmed. */
  readonly confirmSeconds: number;
}

export function createServer(duka: Duka, { version, confirmSeconds }: ServerOptions): Server {
  const capabilities = { tools: {} };
  const server = new Server({ name: 'duka', version }, { capabilities, instructions: INSTRUCTIONS });
  const confirmations = new Confirmations(confirmSeconds);
  const tools = new Map(TOOLS.map((tool) => [tool.name, tool]));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(listed) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.get(params.name);
    if (!tool) return failed({ code: 'unknown_tool', message: `There is no tool ${params.name}.` });
    try {
      const given = checked(tool, params.arguments ?? {});
      return told(await (tool.isMoney ? order(duka, confirmations, tool, given) : call(duka, tool, given)));
    } catch (error) {
      return failed(problemOf(error));
    }
  });
  return server;
}

function listed({ name, description, isMoney, inputSchema }: ApiTool) {
  return {
    name,
    description,
    inputSchema,
    annotations: { readOnlyHint: !isMoney, destructiveHint: isMoney, idempotentHint: !isMoney, openWorldHint: isMoney },
  };
}

/** Dry, unless it was confirmed. */
async function order(duka: Duka, confirmations: Confirmations, tool: ApiTool, given: Arguments): Promise<object> {
  const { confirmation_token: token, ...sent } = given;
  const asked = { tool: tool.name, sent };
  if (token === undefined) {
    const would = await call(duka, tool, sent, { dryRun: true });
    return {
      would,
      ...confirmations.tokenFor(asked),
      next: `Nothing has moved. To do exactly this, call ${tool.name} with the same arguments and confirmation_token.`,
    };
  }
  if (typeof token !== 'string') throw new Refused('invalid_argument', 'confirmation_token is a text.');
  const refusal = confirmations.refusalOf(token, asked);
  if (refusal) throw new Refused('confirmation_refused', `Nothing has moved: the confirmation_token is ${refusal}.`);
  return call(duka, tool, sent, {
    idempotencyKey: confirmations.keyOf(token),
    ...(tool.canWait && { wait: WAIT_SECONDS }),
  });
}

async function call(duka: Duka, tool: ApiTool, given: Arguments, options: object = {}): Promise<object> {
  const rest = { ...given };
  const ids = tool.path.map((name) => rest[name]);
  for (const name of tool.path) delete rest[name];
  const resource = duka[tool.resource as keyof Duka] as unknown as Record<string, (...all: unknown[]) => unknown>;
  const answer = resource[tool.method]!(...ids, ...(tool.sends ? [rest] : []), options);
  return (tool.isPaged ? (answer as { page(): unknown }).page() : answer) as Promise<object>;
}

/** What the service itself could not tell: which arguments there are, and ids, which make an address. */
function checked({ name, path, inputSchema }: ApiTool, given: Arguments): Arguments {
  const { properties, required } = inputSchema;
  const unknown = Object.keys(given).find((one) => !Object.hasOwn(properties, one));
  if (unknown !== undefined) throw new Refused('unknown_argument', `${name} has no argument ${unknown}.`);
  const missing = required.find((one) => given[one] === undefined);
  if (missing !== undefined) throw new Refused('missing_argument', `${name} needs ${missing}.`);
  const odd = path.find((one) => typeof given[one] !== 'string' || given[one] === '');
  if (odd !== undefined) throw new Refused('invalid_argument', `${odd} is an id.`);
  return given;
}

class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const told = (answer: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: answer as Record<string, unknown>,
});

const failed = (problem: object): CallToolResult => ({ ...told(problem), isError: true });

function problemOf(error: unknown): object {
  if (error instanceof Refused) return { code: error.code, message: error.message };
  if (error instanceof DukaError) {
    const { code, message, status, param, errors, retryable, recovery, requestId } = error;
    return { code, message, status, param, errors, retryable, recovery, request_id: requestId };
  }
  if (error instanceof DukaConnectionError)
    return {
      code: 'no_answer',
      message: `${error.message} Whether it took effect is not known: repeat the same call.`,
    };
  throw error;
}
