import type { ComponentType } from 'preact';
import type { ViewProps } from './view-props.ts';

/** A queue whose number of versions the navigation shows. */
export type CountedQueue = 'pending' | 'attention';

/** A view: a folder in this one, which the browser loads when somebody opens the view. */
interface View {
  readonly title: string;
  /** The queue whose number of versions stands beside the title; absent for none. */
  readonly count?: CountedQueue;
  /** True if the navigation lists the view. */
  readonly isListed: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType<ViewProps> }>;
}

const loadPackages: View['load'] = () => import('./packages/packages.tsx');

/** Loads a view of the shared script. */
const loadPage =
  (name: keyof typeof import('./pages.ts')): View['load'] =>
  async () => ({ default: (await import('./pages.ts'))[name] });

/** The views, by the first segment of their addresses. */
export const views: Readonly<Record<string, View>> = {
  queue: { title: 'Queue', count: 'pending', isListed: true, load: loadPackages },
  attention: { title: 'Attention', count: 'attention', isListed: true, load: loadPackages },
  packages: { title: 'Packages', isListed: true, load: loadPackages },
  projects: { title: 'Projects', isListed: true, load: loadPage('Projects') },
  overview: { title: 'Overview', isListed: true, load: () => import('./overview/overview.tsx') },
  batches: { title: 'Batches', isListed: false, load: () => import('./batches/batches.tsx') },
  incidents: {
    title: 'Incidents',
    isListed: true,
    load: loadPage('Incidents'),
  },
  vulnerability: {
    title: 'Vulnerability',
    isListed: false,
    load: loadPage('Vulnerability'),
  },
  license: {
    title: 'License',
    isListed: false,
    load: loadPage('License'),
  },
  expirations: {
    title: 'Expiring approvals',
    isListed: false,
    load: loadPage('Expirations'),
  },
  activity: { title: 'Activity', isListed: false, load: loadPage('Activity') },
  check: { title: 'Check', isListed: true, load: () => import('./check/check.tsx') },
  submissions: { title: 'My submissions', isListed: false, load: loadPackages },
  'sign-in': { title: 'Sign in', isListed: false, load: () => import('./sign-in/sign-in.tsx') },
};

/** Returns the view with a name; undefined if there is none. */
export const findView = (name: string): View | undefined =>
  Object.hasOwn(views, name) ? views[name] : undefined;

/** The view that the console opens by default. */
export const firstView = 'queue';
