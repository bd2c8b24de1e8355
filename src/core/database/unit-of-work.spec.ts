import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { ChangedElsewhere, isConnectionLoss, retryChanged, TooManyAtOnce } from './unit-of-work';

const coded = (code: string) => Object.assign(new Error('away'), { code });

describe('the loss of a connection', () => {
  it.each([
    ['a server that shuts down', coded('57P01')],
    ['a server that starts', coded('57P03')],
    ['a server that takes no changes any more', coded('25006')],
    ['a torn connection', coded('08006')],
    ['a refused connection', coded('ECONNREFUSED')],
    ['a connection that ended within a statement', new Error('Connection terminated unexpectedly')],
    ['a pool of which no connection came free in time', new Error('timeout exceeded when trying to connect')],
    ['a connection that ended between two statements of a transaction', new QueryRunnerAlreadyReleasedError()],
    ['the same, seen by the transaction', new QueryRunnerProviderAlreadyReleasedError()],
  ])('is %s', (_, error) => expect(isConnectionLoss(error)).toBe(true));

  it.each([
    ['a constraint', coded('23505')],
    ['a deadlock', coded('40P01')],
    ['a fault of ours', new TypeError('x is not a function')],
    ['nothing', null],
  ])('is not %s', (_, error) => expect(isConnectionLoss(error)).toBe(false));
});

describe('what others change meanwhile', () => {
  /** As `assert_row_count` raises it. */
  const rowChanged = () => Object.assign(new Error('row changed'), { code: '27000' });

  beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => jest.restoreAllMocks());

  it('does it again while somebody else is faster, whichever way that is said', async () => {
    const work = jest.fn<Promise<string>, []>().mockResolvedValue('done');
    work.mockRejectedValueOnce(rowChanged()).mockRejectedValueOnce(new ChangedElsewhere());
    expect(await retryChanged(work)).toBe('done');
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('does it once when it fails for another reason, or when something else is to be said', async () => {
    const fault = new Error('fault');
    const work = jest.fn<Promise<void>, []>().mockRejectedValue(fault);
    await expect(retryChanged(work)).rejects.toBe(fault);
    const settled = new ChangedElsewhere();
    await expect(retryChanged(work, () => Promise.reject(settled))).rejects.toBe(settled);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('ends: nothing was done, and it may be sent again', async () => {
    const last = rowChanged();
    const work = jest.fn<Promise<void>, []>().mockRejectedValue(last);
    const error = await retryChanged(work).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TooManyAtOnce);
    expect(error).toMatchObject({ details: { code: 'service_unavailable', retryable: true }, cause: last });
    expect(work).toHaveBeenCalledTimes(40);
  });
});
