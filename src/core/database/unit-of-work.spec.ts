import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { isConnectionLoss } from './unit-of-work';

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
