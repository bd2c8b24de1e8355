import { inspect } from 'node:util';
import { InvalidEnvironment, loadEnv } from './env';
import { flag, integer, list, type Of, secret, Settings, text, url } from './settings';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

const topups = Settings.of('topups', {
  url: url(),
  apiKey: secret(),
  countries: list({ default: 'NG,GH' }),
  retriesMax: integer({ default: '3' }),
  verbose: flag({ optional: true }),
});
/** Has defaults for all it needs. */
const quiet = Settings.of('quiet-hours', { from: text({ default: '22:00' }), to: text({ default: '06:00' }) });

const GIVEN = { TOPUPS_URL: 'https://topups.example.com/v1/', TOPUPS_API_KEY: 'hunter2' };

const faultsOf = (source: NodeJS.ProcessEnv): readonly string[] => {
  try {
    loadEnv({}, { SECRETS_KEY, ...source });
    return [];
  } catch (error) {
    return (error as InvalidEnvironment).faults;
  }
};

describe('settings of a team', () => {
  it('are read by their form, under the name of the team', () => {
    const values = topups.read({ ...GIVEN, TOPUPS_RETRIES_MAX: '5' }).values as Of<typeof topups>;
    expect({ ...values }).toEqual({
      url: 'https://topups.example.com/v1/',
      apiKey: 'hunter2',
      countries: ['NG', 'GH'],
      retriesMax: 5,
    });
    const typed: number = values.retriesMax;
    expect([typed, values.verbose satisfies boolean | undefined]).toEqual([5, undefined]);
    expect(quiet.read({ QUIET_HOURS_TO: '07:00' }).values).toEqual({ from: '22:00', to: '07:00' });
  });

  it('that are not set at all are none, and no fault', () => {
    expect(topups.read({ TOPUPS_URL: '', OTHER: 'x' })).toEqual({ values: null, faults: [] });
    expect(topups.read({ TOPUPS_COUNTRIES: 'NG,GH' })).toEqual({ values: null, faults: [] });
    expect(faultsOf({})).toEqual([]);
  });

  it('that are set by half stop the process, as does one without what the others need', () => {
    expect(faultsOf({ TOPUPS_URL: GIVEN.TOPUPS_URL })).toEqual(['TOPUPS_API_KEY must be set, as TOPUPS_URL is']);
    expect(faultsOf({ TOPUPS_COUNTRIES: 'KE' })).toEqual([
      'TOPUPS_URL must be set, as TOPUPS_COUNTRIES is',
      'TOPUPS_API_KEY must be set, as TOPUPS_COUNTRIES is',
    ]);
  });

  it('are told with all other faults at once, a line each, without the values', () => {
    const wrong = { TOPUPS_URL: 'ftp://root:hunter2@x', TOPUPS_API_KEY: 'hunter2\nx', TOPUPS_RETRIES_MAX: 'hunter2' };
    const faults = faultsOf({ PORT: 'http', ...wrong, TOPUPS_VERBOSE: 'yes', TOPUPS_COUNTRIES: 'NG,,GH' });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'PORT',
      'TOPUPS_URL',
      'TOPUPS_API_KEY',
      'TOPUPS_COUNTRIES',
      'TOPUPS_RETRIES_MAX',
      'TOPUPS_VERBOSE',
    ]);
    expect(faults.join()).not.toContain('hunter2');
  });

  it.each(['https://user:hunter2@x.example.com/', 'x.example.com', 'https://'])('take no address like %s', (given) => {
    expect(topups.read({ ...GIVEN, TOPUPS_URL: given }).values).toBeNull();
  });

  it('show no secret in logs and errors, and cannot be changed', () => {
    const values = topups.read(GIVEN).values as { apiKey: string };
    expect(JSON.stringify({ values }) + inspect({ values }, { depth: 9 })).not.toContain('hunter2');
    expect(JSON.parse(JSON.stringify(values))).toMatchObject({ apiKey: '********', url: GIVEN.TOPUPS_URL });
    expect(() => Object.assign(values, { apiKey: 'x' })).toThrow(TypeError);
  });

  it('have names of their own: neither those of the service nor those of another team', () => {
    expect(Settings.faults({}, ['PORT', 'TOPUPS_URL'])).toEqual(['TOPUPS_URL is the name of two settings']);
    Settings.of('database', { url: url({ optional: true }) });
    Settings.of('topups', { retriesMax: integer({ default: '1' }) });
    expect(faultsOf({})).toEqual([
      'DATABASE_URL is the name of two settings',
      'TOPUPS_RETRIES_MAX is the name of two settings',
    ]);
  });
});
