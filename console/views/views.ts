import type { ComponentType } from 'preact';
import type { Counts } from '../frame/counts.ts';
import type { ViewProps } from './view-props.ts';

/** A view: a folder here, which is loaded when it is opened. */
interface View {
  readonly title: string;
  /** What the frame counts beside its name; null for none. */
  readonly count?: keyof Counts;
  /** Whether the frame leads there. */
  readonly isListed: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType<ViewProps> }>;
}

/** Every view, by the first word of its address. The first one is where the console begins. */
export const views: Readonly<Record<string, View>> = {
  queue: {
    title: 'Queue',
    count: 'pending',
    isListed: true,
    load: () => import('./packages/packages.tsx'),
  },
  attention: {
    title: 'Attention',
    count: 'attention',
    isListed: true,
    load: () => import('./packages/packages.tsx'),
  },
  packages: {
    title: 'Packages',
    isListed: true,
    load: () => import('./packages/packages.tsx'),
  },
  overview: {
    title: 'Overview',
    isListed: true,
    load: () => import('./overview/overview.tsx'),
  },
  activity: {
    title: 'Activity',
    isListed: false,
    load: () => import('./activity/activity.tsx'),
  },
  check: { title: 'Check', isListed: true, load: () => import('./check/check.tsx') },
  'sign-in': { title: 'Sign in', isListed: false, load: () => import('./sign-in/sign-in.tsx') },
};

/** Returns the view of an address; undefined where there is none. Names that every object has are none. */
export const findView = (name: string): View | undefined =>
  Object.hasOwn(views, name) ? views[name] : undefined;

export const firstView = 'queue';
