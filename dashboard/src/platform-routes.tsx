import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

/** The pages of those who look after the platform, below the mode. */
export const platformRoutes = <Mode extends AnyRoute>(mode: Mode) =>
  [
    createRoute({
      getParentRoute: () => mode,
      path: '/reviews',
      component: lazyRouteComponent(() => import('./pages/platform/reviews/reviews-page'), 'ReviewsPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/reviews/$id',
      component: lazyRouteComponent(() => import('./pages/platform/reviews/review-page'), 'ReviewPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/incidents',
      component: lazyRouteComponent(() => import('./pages/platform/incidents/incidents-page'), 'IncidentsPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/incidents/$id',
      component: lazyRouteComponent(() => import('./pages/platform/incidents/incident-page'), 'IncidentPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/accounts',
      component: lazyRouteComponent(() => import('./pages/platform/accounts/accounts-page'), 'AccountsPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/accounts/$id',
      component: lazyRouteComponent(() => import('./pages/platform/accounts/account-page'), 'AccountPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/providers/$product/$provider',
      component: lazyRouteComponent(() => import('./pages/platform/history/provider-page'), 'ProviderPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/providers',
      component: lazyRouteComponent(() => import('./pages/platform/providers-page'), 'ProvidersPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/fees',
      component: lazyRouteComponent(() => import('./pages/platform/fees-page'), 'FeesPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/catalogue',
      component: lazyRouteComponent(() => import('./pages/platform/catalogue/catalogue-page'), 'CataloguePage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/books',
      component: lazyRouteComponent(() => import('./pages/platform/books/books-page'), 'BooksPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/positions',
      component: lazyRouteComponent(() => import('./pages/platform/books/positions-page'), 'PositionsPage'),
    }),
    createRoute({
      getParentRoute: () => mode,
      path: '/going-live',
      component: lazyRouteComponent(() => import('./pages/platform/going-live-page'), 'GoingLivePage'),
    }),
  ] as const;
