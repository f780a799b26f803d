// One script for small views: in scripts of their own, the parts that they share would become many small files, which the
// first view loads, too.
export { default as Activity } from './activity/activity.tsx';
export { default as Expirations } from './expirations/expirations.tsx';
export { default as Incidents } from './incidents/incidents.tsx';
export { default as License } from './license/license.tsx';
export { default as Projects } from './projects/projects.tsx';
export { default as Vulnerability } from './vulnerability/vulnerability.tsx';
