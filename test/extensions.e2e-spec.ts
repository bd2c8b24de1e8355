import { LedgerService } from '../src/modules/ledger/ledger.service';
import { displayMoney } from '../src/core/money/money';
import type { Verdict } from '../src/core/extension/points';
import { Extensions } from '../src/core/extension/extensions';
import { decodeId } from '../src/core/http/ids';
import type { Api } from './support/api';
import { Duka, type TestAccount } from './support/duka';
import { extendWith, ProbeErrors, ProbeFormat, ProbeGate } from './support/extension-probe';
import { until } from './support/recurring-probe';

const VETO: Verdict = { veto: true, code: 'too_fast', message: 'Ten transfers a minute.' };

describe('extensions of transfers', () => {
  let duka: Duka;
  let account: TestAccount;
  let api: Api;
  let a: string;
  let b: string;

  beforeAll(async () => {
    extendWith(ProbeGate, ProbeErrors, ProbeFormat);
    duka = await Duka.start();
    account = await duka.account();
    api = account.api;
  });
  afterAll(() => duka.stop());

  beforeEach(async () => {
    [a, b] = [await api.wallet(1_000), await api.wallet()];
    ProbeGate.asked = [];
    ProbeGate.answer = () => undefined;
    ProbeErrors.heard = [];
  });

  it('a gate sees the transfer before it takes place, and only data', async () => {
    const { body } = await api.transfer(a, b, 100, { reference: 'seen', metadata: { order: '7' }, narration: 'Float' });
    const [wallet, other] = [decodeId('wal', a), decodeId('wal', b)];
    const accountId = decodeId('acct', account.id)!;
    expect(ProbeGate.asked).toEqual([
      {
        operation: 'transfer',
        accountId,
        livemode: false,
        objectType: 'trf',
        objectId: decodeId('trf', body.id),
        requestId: expect.any(String),
        dryRun: false,
        draft: {
          amount: 100n,
          currency: 'NGN',
          walletId: wallet,
          recipient: other,
          network: null,
          reference: 'seen',
          metadata: { order: '7' },
          details: { to_account_id: accountId, narration: 'Float' },
        },
      },
    ]);
    expect(body.status).toBe('successful');
  });

  it('a veto stops it with the extension and its reason, and leaves no trace', async () => {
    ProbeGate.answer = () => VETO;
    const before = await duka.totals();
    const { status, body } = await api.transfer(a, b, 100, { reference: 'stopped', key: 'stopped' });
    expect([status, body.code, body.recovery]).toEqual([422, 'blocked_by_hook', 'caller_must_fix']);
    expect(body.detail).toBe('Ten transfers a minute. (test.gate: too_fast)');
    expect(await duka.totals()).toEqual(before);
    ProbeGate.answer = () => undefined;
    expect((await api.transfer(a, b, 100, { reference: 'stopped', key: 'stopped' })).status).toBe(201);
  });

  it.each<[string, typeof ProbeGate.answer]>([
    [
      'fails',
      () => {
        throw new Error('on purpose');
      },
    ],
    ['is slow', () => new Promise(() => undefined)],
  ])('a gate that %s stays closed, and the observers of errors hear of it', async (_, answer) => {
    ProbeGate.answer = answer;
    const before = await duka.totals();
    const { status, body, headers } = await api.transfer(a, b, 100);
    expect([status, body.code, body.retryable, headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      true,
      '1',
    ]);
    expect(await duka.totals()).toEqual(before);
    await until(() => ProbeErrors.heard.length > 0);
    expect(ProbeErrors.heard).toMatchObject([
      { operation: 'transfer', draft: { amount: 100n }, error: { stage: 'extension', by: 'test.gate' } },
    ]);
  });

  it('what validation and the books refuse is not asked about', async () => {
    const codes = await Promise.all([
      api.transfer(a, a, 1),
      api.transfer(a, b, 1_001),
      api.transfer(a, 'wal_nonsense', 1),
      api.transfer(a, b, 0),
    ]);
    expect(codes.map(({ status }) => status)).toEqual([422, 402, 404, 400]);
    expect(ProbeGate.asked).toEqual([]);
    expect(ProbeErrors.heard).toEqual([]);
  });

  it('a replay asks nobody again, whatever they would say now', async () => {
    const first = await api.transfer(a, b, 100, { reference: 'again', key: 'again' });
    ProbeGate.answer = () => VETO;
    const [byKey, byReference] = [
      await api.transfer(a, b, 100, { reference: 'again', key: 'again' }),
      await api.transfer(a, b, 100, { reference: 'again' }),
    ];
    expect([byKey.status, byReference.status]).toEqual([201, 200]);
    expect([byKey.body, byReference.body]).toEqual([first.body, first.body]);
    expect((await api.transfer(a, b, 101, { reference: 'again', key: 'again' })).body.code).toBe(
      'idempotency_key_reused',
    );
    expect((await api.transfer(a, b, 101, { reference: 'again' })).body.code).toBe('duplicate_reference');
    expect(ProbeGate.asked).toHaveLength(1);
  });

  it('a twin whose money is gone is answered as a replay, not with the refusal of a gate that was asked too late', async () => {
    // Both are under way before the first goes through, with everything that was in the wallet; then the second is answered.
    const [bothAreAsked, firstIsThrough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    ProbeGate.answer = async () => {
      if (ProbeGate.asked.length === 1) return bothAreAsked.promise;
      bothAreAsked.resolve();
      await firstIsThrough.promise;
      return VETO;
    };
    const twins = [1, 2].map(() => api.transfer(a, b, 1_000, { key: `twin-${a}` }));
    await Promise.race(twins);
    firstIsThrough.resolve();
    const answers = await Promise.all(twins);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(1);
    expect(await api.balance(b)).toMatchObject({ available: 1_000 });
  });

  it('a dry run asks the gates, tells them so, and shows their veto', async () => {
    const before = await duka.totals();
    expect((await api.transfer(a, b, 100, { dry_run: true })).status).toBe(200);
    ProbeGate.answer = ({ dryRun }) => (dryRun ? VETO : undefined);
    expect((await api.transfer(a, b, 100, { dry_run: true })).body.code).toBe('blocked_by_hook');
    expect(ProbeGate.asked.map(({ dryRun }) => dryRun)).toEqual([true, true]);
    expect(await duka.totals()).toEqual(before);
  });

  it('a gate cannot change the transfer', async () => {
    ProbeGate.answer = ({ draft }) => void Object.assign(draft, { amount: 1n });
    expect((await api.transfer(a, b, 100)).status).toBe(503);
    ProbeGate.answer = ({ draft }) => void Object.assign(draft.metadata, { order: '1' });
    expect((await api.transfer(a, b, 100)).status).toBe(503);
  });

  it('an unexpected error in the middle of a transfer is told to the observers of errors', async () => {
    const ledger = duka.get<LedgerService>(LedgerService);
    const broken = jest.spyOn(ledger, 'require').mockRejectedValue(new Error('on purpose'));
    expect((await api.transfer(a, b, 100)).status).toBe(500);
    broken.mockRestore();
    await until(() => ProbeErrors.heard.length > 0);
    expect(ProbeErrors.heard).toMatchObject([
      {
        operation: 'transfer',
        draft: { amount: 100n, currency: 'NGN' },
        error: { stage: 'platform', code: 'internal_error' },
      },
    ]);
    expect(
      JSON.stringify(ProbeErrors.heard, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('on purpose');
  });

  it('svc_currency_format makes every amount_display, until the service stops', async () => {
    expect((await api.transfer(a, b, 100)).body.amount_display).toBe('₦1.00');
    expect((await api.get(`/v4/wallets/${a}`)).body.balance_display).toBe('₦9.00');
    const other = await Duka.start();
    await other.stop();
    expect(displayMoney({ amount: 1n, currency: 'NGN' })).toBe('₦0.01');
    await duka.app.close();
    expect(displayMoney({ amount: 1n, currency: 'NGN' })).toBe('NGN 0.01');
    await duka.restart();
  });

  it('without a handler for transfers nothing is prepared', async () => {
    const extensions = duka.get<Extensions>(Extensions);
    expect(extensions.isEmpty('svc_before_payment', 'data_purchase')).toBe(true);
    expect(extensions.isEmpty('svc_after_payment', 'transfer')).toBe(true);
    expect(extensions.afterPayment({ row: {} } as never, { operation: 'transfer' } as never)).toEqual([]);
  });
});
