import type { Rig } from './rig';
import { RULES } from './rules';

/** Every provider passes it, whatever it sells and wherever it lives. `make` is called for each rule. */
export function providerContract(name: string, make: () => Promise<Rig> | Rig): void {
  describe(`the provider ${name}`, () => {
    it.each(Object.entries(RULES))('%s', async (_, rule) => {
      const rig = await make();
      try {
        await rule(rig);
      } finally {
        await rig.close?.();
      }
    });
  });
}
