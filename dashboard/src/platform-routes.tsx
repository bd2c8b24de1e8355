import { type AnyRoute, createRoute, lazyRouteComponent, retainSearchParams } from '@tanstack/react-router';

const pagesBelow = <Platform extends AnyRoute>(platform: Platform) =>
  [
    createRoute({
      getParentRoute: () => platform,
      path: '/cells',
      component: lazyRouteComponent(() => import('./pages/platform/cells/cells-page'), 'CellsPage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/reviews',
      component: lazyRouteComponent(() => import('./pages/platform/reviews/reviews-page'), 'ReviewsPage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/reviews/$id',
      component: lazyRouteComponent(() => import('./pages/platform/reviews/review-page'), 'ReviewPage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/incidents',
      component: lazyRouteComponent(() => import('./pages/platform/incidents/incidents-page'), 'IncidentsPage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/incidents/$id',
      component: lazyRouteComponent(() => import('./pages/platform/incidents/incident-page'), 'IncidentPage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/accounts',
      component: lazyRouteComponent(() => import('./pages/platform/accounts/accounts-page'), 'AccountsPage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/accounts/$id',
      component: lazyRouteComponent(() => import('./pages/platform/accounts/account-page'), 'AccountPage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/providers/$product/$provider',
      component: lazyRouteComponent(() => import('./pages/platform/history/provider-page'), 'ProviderPage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/providers',
      component: lazyRouteComponent(() => import('./pages/platform/providers-page'), 'ProvidersPage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/fees',
      component: lazyRouteComponent(() => import('./pages/platform/fees-page'), 'FeesPage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/catalogue',
      component: lazyRouteComponent(() => import('./pages/platform/catalogue/catalogue-page'), 'CataloguePage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/books',
      component: lazyRouteComponent(() => import('./pages/platform/books/books-page'), 'BooksPage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/positions',
      component: lazyRouteComponent(() => import('./pages/platform/books/positions-page'), 'PositionsPage'),
    }),
    createRoute({
      getParentRoute: () => platform,
      path: '/going-live',
      component: lazyRouteComponent(() => import('./pages/platform/going-live-page'), 'GoingLivePage'),
    }),
  ] as const;

/** The pages of those who look after the platform, below the mode. */
export function platformRoutes<Mode extends AnyRoute>(mode: Mode) {
  const platform = createRoute({
    getParentRoute: () => mode,
    id: 'platform',
    // The chosen cell stays until another is chosen.
    search: { middlewares: [retainSearchParams<{ cell?: string }>(['cell']) as never] },
    component: lazyRouteComponent(() => import('./shell/platform-layout'), 'PlatformLayout'),
  });
  return platform.addChildren(pagesBelow(platform));
}
