import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

/** Cards, who holds them and what is done with them, below the mode. */
export const cardsRoutes = <Mode extends AnyRoute>(mode: Mode) =>
  [
    createRoute({
      getParentRoute: () => mode,
      path: '/cards',
      component: lazyRouteComponent(() => import('./pages/cards/cards-page'), 'CardsPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/cards/$id',
      component: lazyRouteComponent(() => import('./pages/cards/card-page'), 'CardPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/cards/transactions',
      component: lazyRouteComponent(() => import('./pages/cards/uses-page'), 'CardUsesPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/cards/disputes',
      component: lazyRouteComponent(() => import('./pages/cards/disputes-page'), 'DisputesPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/cards/disputes/$id',
      component: lazyRouteComponent(() => import('./pages/cards/dispute-page'), 'DisputePage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/cards/customers',
      component: lazyRouteComponent(() => import('./pages/customers/customers-page'), 'CustomersPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/cards/customers/$id',
      component: lazyRouteComponent(() => import('./pages/customers/customer-page'), 'CustomerPage'),
    }),
  ] as const;
