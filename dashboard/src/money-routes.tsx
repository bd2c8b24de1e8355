import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

/** The pages of money that goes out and comes in, below the mode. */
export const moneyRoutes = <Mode extends AnyRoute>(mode: Mode) =>
  [
    createRoute({
      getParentRoute: () => mode,
      path: '/payouts',
      component: lazyRouteComponent(() => import('./pages/payouts/payouts-page'), 'PayoutsPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/payouts/$id',
      component: lazyRouteComponent(() => import('./pages/payouts/payout-page'), 'PayoutPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/batches',
      component: lazyRouteComponent(() => import('./pages/batches/batches-page'), 'BatchesPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/batches/new',
      component: lazyRouteComponent(() => import('./pages/batches/new-batch-page'), 'NewBatchPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/batches/$id',
      component: lazyRouteComponent(() => import('./pages/batches/batch-page'), 'BatchPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/beneficiaries',
      component: lazyRouteComponent(() => import('./pages/beneficiaries/beneficiaries-page'), 'BeneficiariesPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/conversions',
      component: lazyRouteComponent(() => import('./pages/conversions/conversions-page'), 'ConversionsPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/virtual-accounts',
      component: lazyRouteComponent(
        () => import('./pages/virtual-accounts/virtual-accounts-page'),
        'VirtualAccountsPage',
      ),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/virtual-accounts/$id',
      component: lazyRouteComponent(
        () => import('./pages/virtual-accounts/virtual-account-page'),
        'VirtualAccountPage',
      ),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/reports',
      component: lazyRouteComponent(() => import('./pages/reports/reports-page'), 'ReportsPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/refunds',
      component: lazyRouteComponent(() => import('./pages/payments/refunds-page'), 'RefundsPage'),
    }),
  ] as const;
