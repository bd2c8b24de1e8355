import { Env } from '../config/env';
import { newId } from '../http/ids';
import { OpenTelemetry } from './open-telemetry';

// The edge of the network.
jest.mock('@opentelemetry/exporter-trace-otlp-http', () => ({
  OTLPTraceExporter: class {
    export(_: unknown, done: (result: { code: number }) => void): void {
      done({ code: 0 });
    }
    async forceFlush(): Promise<void> {}
    async shutdown(): Promise<void> {}
  },
}));

const opened: OpenTelemetry[] = [];
afterAll(() => Promise.all(opened.map((one) => one.close())));

const open = (settings: Partial<Env>): OpenTelemetry => {
  opened.push(new OpenTelemetry(Object.assign(new Env(), settings)));
  return opened.at(-1)!;
};

const flagsIn = async (traced: Promise<string | undefined>): Promise<string> => (await traced)!.slice(-2);

/** What is sampled of a request, and of what follows from it in another process. */
async function sampled(id: string, settings: Partial<Env>): Promise<[string, string]> {
  const [api, worker] = [open(settings), open(settings)];
  const request = api.request({ id, publicId: 'req_1', method: 'GET' });
  const inside = new Promise<string | undefined>((resolve) =>
    request.run(() => void api.run({ name: 'step' }, async (step) => resolve(step?.traceparent))),
  );
  const behind = worker.later({ name: 'delivery', requestId: id }, async (step) => step?.traceparent);
  return [await flagsIn(inside), await flagsIn(behind)];
}

it.each([
  ['always_on', '01'],
  ['parentbased_always_off', '00'],
])('%s decides for a request and what follows from it', async (OTEL_TRACES_SAMPLER, flags) => {
  expect(await sampled(newId(), { OTEL_TRACES_SAMPLER })).toEqual([flags, flags]);
});

it('a share of all requests is the same share in every process', async () => {
  const settings = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 0.5 };
  const all = await Promise.all(Array.from({ length: 40 }, () => sampled(newId(), settings)));
  expect(all.filter(([inside, behind]) => inside !== behind)).toEqual([]);
  expect(new Set(all.map(([inside]) => inside))).toEqual(new Set(['00', '01']));
});

it('traces a step only where something is under way', async () => {
  expect(await open({}).run({ name: 'step' }, async (step) => step)).toBeNull();
  expect(await open({}).run({ name: 'step', isRoot: true }, async (step) => step?.traceparent)).toMatch(/^00-/);
});

it('throws what was thrown', async () => {
  const failing = open({}).later({ name: 'delivery', requestId: newId() }, () => Promise.reject(new Error('away')));
  await expect(failing).rejects.toThrow('away');
});
