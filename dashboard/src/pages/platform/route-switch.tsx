import { Group } from '@mantine/core';
import { useOperators } from '../../session/cells';
import { ConfirmButton } from '../../ui/confirm-button';
import { AnchorLink } from '../../ui/links';
import { StatusBadge } from '../../ui/status-badge';
import { useMode } from '../../ui/use-mode';
import type { ProviderRoute } from './provider-rows';

/** For which network a provider is asked, and whether. */
export function RouteSwitch({ route, routes }: { route: ProviderRoute; routes: readonly ProviderRoute[] }) {
  const operators = useOperators();
  const { product, network, livemode, provider, position, enabled } = route;
  const mode = useMode();
  const label = enabled ? 'Switch off' : 'Switch on';
  const name = `${provider} for ${product}, ${networkText(network)}, ${livemode ? 'live' : 'test'}`;
  return (
    <li>
      <Group gap="xs">
        <span>{`${networkText(network)}, order ${position}`}</span>
        <StatusBadge status={enabled ? 'enabled' : 'disabled'} />
        <ConfirmButton
          label={label}
          aria-label={`${label}: ${name}`}
          question={`${label} ${name}?`}
          explanation={enabled ? offText(route, routes) : `Within a second it is asked again, at order ${position}.`}
          done={`${provider} is switched ${enabled ? 'off' : 'on'}.`}
          work={() =>
            operators.api.PUT('/operators/routes', {
              body: { product, network, livemode, provider, enabled: !enabled },
            })
          }
        />
        {!enabled && (
          <AnchorLink
            to="/$mode/incidents"
            params={{ mode }}
            search={{ new: '1', product, network } as never}
            size="sm"
            aria-label={`Tell partners of ${name}`}
          >
            Tell partners
          </AnchorLink>
        )}
      </Group>
    </li>
  );
}

const networkText = (network: string): string => (network === '*' ? 'any network' : network);

function offText(route: ProviderRoute, routes: readonly ProviderRoute[]): string {
  const text = 'Within a second nobody new is asked there. What is under way is still settled by it.';
  const isAlternative = (other: ProviderRoute) =>
    other.enabled && other.provider !== route.provider && keyOf(other) === keyOf(route);
  return routes.some(isAlternative)
    ? text
    : `${text} Nobody else is asked for this: until another is switched on, it is refused.`;
}

const keyOf = ({ product, network, livemode }: ProviderRoute): string => `${product} ${network} ${livemode}`;
