// `node --require`: notes again and again what the process keeps after a full collection, and what is resident, in bytes, into MEMORY_FILE
// with its pid behind. What is kept has no garbage in it, so that it grows by what is lost and nothing else.
const { appendFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

const { MEMORY_FILE, MEMORY_EVERY_MS } = process.env;

if (isMainThread && MEMORY_FILE !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const note = () => {
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    const line = JSON.stringify({ at: Date.now(), kept: heapUsed + external, resident: rss });
    appendFileSync(`${MEMORY_FILE}.${process.pid}`, `${line}\n`);
  };
  setInterval(note, Number(MEMORY_EVERY_MS)).unref();
}
