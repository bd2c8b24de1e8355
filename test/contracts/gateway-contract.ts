import { GATEWAY_RULES, type GatewayRig } from './gateway-rules';

/** Every gateway passes it, wherever it lives. `make` is called for each rule. */
export function gatewayContract(name: string, make: () => Promise<GatewayRig> | GatewayRig): void {
  describe(`the gateway ${name}`, () => {
    it.each(Object.entries(GATEWAY_RULES))('%s', async (_, rule) => {
      const rig = await make();
      try {
        await rule(rig);
      } finally {
        await rig.close?.();
      }
    });
  });
}
