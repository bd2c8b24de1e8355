#!/usr/bin/env node
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Duka } from '../../typescript/src/index.js';
import { VERSION } from '../../typescript/src/generated/resources.gen.js';
import { createServer } from './server.js';

const CONFIRM_SECONDS = 300;

/** Output is the protocol's: what goes wrong is told beside it. */
function giveUp(why: string): never {
  process.stderr.write(`duka-mcp: ${why}\n`);
  process.exit(1);
}

const { DUKA_KEY: apiKey = '', DUKA_URL: baseUrl = '', DUKA_CONFIRM_SECONDS = String(CONFIRM_SECONDS) } = process.env;
const [flag, ...rest] = process.argv.slice(2);
if ((flag !== undefined && flag !== '--allow-live') || rest.length > 0) giveUp('it knows one flag: --allow-live');
if (!/^sk_(test|live)_./.test(apiKey)) giveUp('DUKA_KEY must be an API key: sk_test_…');
if (apiKey.startsWith('sk_live_') && flag === undefined)
  giveUp('DUKA_KEY is a live key: it moves real money. Start it with --allow-live if that is wanted');
if (!/^https?:\/\/\S+$/.test(baseUrl)) giveUp('DUKA_URL must be where the service is: https://…');
if (!/^[1-9]\d{0,4}$/.test(DUKA_CONFIRM_SECONDS)) giveUp('DUKA_CONFIRM_SECONDS must be a number of seconds');

const options = { version: VERSION, confirmSeconds: Number(DUKA_CONFIRM_SECONDS) };
await createServer(new Duka({ apiKey, baseUrl }), options).connect(new StdioServerTransport());
