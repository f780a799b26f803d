/** Maximum number of projects that a registry keeps. */
export const maxProjects = 10_000;

/** Maximum number of refs of one project. */
export const maxRefs = 20;

/** Maximum number of package versions in one snapshot. */
export const maxSnapshotVersions = 5000;

/** Maximum number of package versions in one request for the projects that use them. */
export const maxAskedVersions = 100;

/** Maximum number of files that a snapshot lists for one version. */
export const maxVersionFiles = 20;
