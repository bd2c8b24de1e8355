import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { wordsIn } from './search';
import { Failure, NotFound } from './shell/failure';

export const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: Failure,
  validateSearch: wordsIn,
});

const auth = () => import('./pages/auth/auth-pages');
const forgotten = () => import('./pages/auth/forgotten-password');

/** Pages for whoever is not logged in. */
export const outside = [
  createRoute({ getParentRoute: () => root, path: '/sign-up', component: lazyRouteComponent(auth, 'SignUpPage') }),
  createRoute({ getParentRoute: () => root, path: '/log-in', component: lazyRouteComponent(auth, 'LogInPage') }),
  createRoute({ getParentRoute: () => root, path: '/invite', component: lazyRouteComponent(auth, 'InvitePage') }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    component: lazyRouteComponent(forgotten, 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    component: lazyRouteComponent(forgotten, 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/mailbox',
    component: lazyRouteComponent(() => import('./pages/mailbox/mailbox-page'), 'MailboxPage'),
  }),
] as const;
