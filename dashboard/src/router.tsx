import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { Problem } from './api/problem';
import { cardsRoutes } from './cards-routes';
import { moneyRoutes } from './money-routes';
import { outside, root } from './outside-routes';
import { platformRoutes } from './platform-routes';
import { queries } from './queries';
import { meQuery } from './session/session';
import { Failure, NotFound } from './shell/failure';
import { parseWords, stringifyWords } from './search';

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/$mode', params: { mode: 'test' }, replace: true });
  },
});

/** The log-in knows the way back. */
async function requireMe({ href }: { href: string }): Promise<void> {
  try {
    await queries.ensureQueryData(meQuery);
  } catch (error) {
    if (error instanceof Problem && error.status === 401) throw redirect({ to: '/log-in', search: { next: href } });
    throw error;
  }
}

/** For whoever is logged in, whatever the mode: `duka login` sends people here. */
const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  beforeLoad: ({ location }) => requireMe(location),
  component: lazyRouteComponent(() => import('./pages/device/device-page'), 'DevicePage'),
});

/** Everything for which somebody must be logged in. The mode is the first word of the path. */
const mode = createRoute({
  getParentRoute: () => root,
  path: '/$mode',
  beforeLoad: async ({ params, location }) => {
    if (params.mode !== 'test' && params.mode !== 'live') throw redirect({ to: '/' });
    await requireMe(location);
  },
  component: lazyRouteComponent(() => import('./shell/mode-layout'), 'ModeLayout'),
  // What was read of test mode is nothing to begin with in live mode.
  remountDeps: ({ params }) => params.mode,
});

const inside = [
  createRoute({
    getParentRoute: () => mode,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/home/home-page'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/transactions',
    component: lazyRouteComponent(() => import('./pages/transactions/transactions-page'), 'TransactionsPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/transactions/$id',
    component: lazyRouteComponent(() => import('./pages/transactions/transaction-page'), 'TransactionPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/wallets',
    component: lazyRouteComponent(() => import('./pages/wallets/wallets-page'), 'WalletsPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/wallets/$id',
    component: lazyRouteComponent(() => import('./pages/wallets/wallet-page'), 'WalletPage'),
  }),
  ...cardsRoutes(mode),
  createRoute({
    getParentRoute: () => mode,
    path: '/card-transactions/$id',
    component: lazyRouteComponent(() => import('./pages/story/story-page'), 'StoryPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/stories/$id',
    component: lazyRouteComponent(() => import('./pages/story/story-page'), 'StoryPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/receipts/$id',
    component: lazyRouteComponent(() => import('./pages/story/receipt-page'), 'ReceiptPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/payments',
    component: lazyRouteComponent(() => import('./pages/payments/payments-page'), 'PaymentsPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/payments/$id',
    component: lazyRouteComponent(() => import('./pages/payments/payment-page'), 'PaymentPage'),
  }),
  ...moneyRoutes(mode),
  createRoute({
    getParentRoute: () => mode,
    path: '/keys',
    component: lazyRouteComponent(() => import('./pages/keys/keys-page'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/webhooks/catalogue',
    component: lazyRouteComponent(() => import('./pages/webhooks/catalogue-page'), 'CataloguePage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/webhooks/$id',
    component: lazyRouteComponent(() => import('./pages/webhooks/webhook-page'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/deliveries/$id',
    component: lazyRouteComponent(() => import('./pages/webhooks/delivery-page'), 'DeliveryPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/signature-checker',
    component: lazyRouteComponent(() => import('./pages/webhooks/signature-page'), 'SignaturePage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/events',
    component: lazyRouteComponent(() => import('./pages/events/events-page'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/events/$id',
    component: lazyRouteComponent(() => import('./pages/events/event-page'), 'EventPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/requests',
    component: lazyRouteComponent(() => import('./pages/requests/requests-page'), 'RequestsPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/requests/$id',
    component: lazyRouteComponent(() => import('./pages/requests/request-page'), 'RequestPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/sandbox',
    component: lazyRouteComponent(() => import('./pages/sandbox/sandbox-page'), 'SandboxPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/team',
    component: lazyRouteComponent(() => import('./pages/team/team-page'), 'TeamPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/branding',
    component: lazyRouteComponent(() => import('./pages/branding/branding-page'), 'BrandingPage'),
  }),
  createRoute({
    getParentRoute: () => mode,
    path: '/audit-log',
    component: lazyRouteComponent(() => import('./pages/audit/audit-page'), 'AuditPage'),
  }),
  platformRoutes(mode),
  createRoute({
    getParentRoute: () => mode,
    path: '/security',
    component: lazyRouteComponent(() => import('./pages/security/security-page'), 'SecurityPage'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([start, ...outside, device, mode.addChildren([...inside])]),
  basepath: '/dashboard',
  defaultErrorComponent: Failure,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  parseSearch: parseWords,
  stringifySearch: stringifyWords,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
