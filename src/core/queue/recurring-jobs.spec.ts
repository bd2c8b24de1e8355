import type { Job } from 'bullmq';
import { offsetOf, RecurringProcessor, type RecurringJobs } from './recurring-jobs';

it('a job that takes longer than its period is not begun beside itself, and keeps no other waiting', async () => {
  const begun: string[] = [];
  const slow = Promise.withResolvers<void>();
  const run = (name: string): Promise<void> => {
    begun.push(name);
    return name === 'slow' ? slow.promise : Promise.resolve();
  };
  const processor = new RecurringProcessor({ run } as unknown as RecurringJobs);
  const take = (name: string): Promise<void> => processor.process({ name } as Job);
  const first = take('slow');
  await take('slow');
  await take('quick');
  expect(begun).toEqual(['slow', 'quick']);
  slow.resolve();
  await first;
  await take('slow');
  expect(begun).toEqual(['slow', 'quick', 'slow']);
});

it('a job that failed is begun again', async () => {
  const run = jest.fn().mockRejectedValueOnce(new Error('on purpose'));
  const processor = new RecurringProcessor({ run } as unknown as RecurringJobs);
  await expect(processor.process({ name: 'one' } as Job)).rejects.toThrow('on purpose');
  await processor.process({ name: 'one' } as Job);
  expect(run).toHaveBeenCalledTimes(2);
});

it('each begins somewhere else in its period, the same in each process; what comes seldom begins at once', () => {
  const offsets = Array.from({ length: 100 }, (_, i) => offsetOf({ name: `job.${i}`, everyMs: 5_000 })!);
  expect(offsets.every((offset) => offset > 0 && offset < 5_000)).toBe(true);
  // Of a hundred places of 50 ms about 63 are taken.
  expect(new Set(offsets.map((offset) => Math.floor(offset / 50))).size).toBeGreaterThan(50);
  // By nothing that a process has for itself.
  expect(offsetOf({ name: 'ledger.seal', everyMs: 2_000 })).toBe(1_114);
  expect(offsetOf({ name: 'database.statistics', everyMs: 86_400_000 })).toBeUndefined();
});
