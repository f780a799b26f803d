import type { ComponentType } from 'preact';
import { loadOnDemand } from '../parts/lazy.tsx';
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
  readonly load: () => Promise<ComponentType<ViewProps>>;
}

const loadPackages: View['load'] = async () => (await import('./packages/packages.tsx')).Packages;
const loadOverview: View['load'] = async () => (await import('./overview/overview.tsx')).Overview;
const loadCheck: View['load'] = async () => (await import('./check/check.tsx')).Check;

/** The views, by the first segment of their addresses. */
export const views: Readonly<Record<string, View>> = {
  queue: { title: 'Queue', count: 'pending', isListed: true, load: loadPackages },
  attention: { title: 'Attention', count: 'attention', isListed: true, load: loadPackages },
  packages: { title: 'Packages', isListed: true, load: loadPackages },
  projects: { title: 'Projects', isListed: true, load: () => loadOnDemand('Projects') },
  overview: { title: 'Overview', isListed: true, load: loadOverview },
  batches: { title: 'Batches', isListed: false, load: () => loadOnDemand('Batches') },
  incidents: {
    title: 'Incidents',
    isListed: true,
    load: () => loadOnDemand('Incidents'),
  },
  vulnerability: {
    title: 'Vulnerability',
    isListed: false,
    load: () => loadOnDemand('Vulnerability'),
  },
  license: {
    title: 'License',
    isListed: false,
    load: () => loadOnDemand('License'),
  },
  expirations: {
    title: 'Expiring approvals',
    isListed: false,
    load: () => loadOnDemand('Expirations'),
  },
  activity: { title: 'Activity', isListed: false, load: () => loadOnDemand('Activity') },
  check: { title: 'Check', isListed: true, load: loadCheck },
  submissions: { title: 'My submissions', isListed: false, load: loadPackages },
  'sign-in': { title: 'Sign in', isListed: false, load: () => loadOnDemand('SignIn') },
};

/** Returns the view with a name; undefined if there is none. */
export const findView = (name: string): View | undefined =>
  Object.hasOwn(views, name) ? views[name] : undefined;

/** The view that the console opens by default. */
export const firstView = 'queue';
