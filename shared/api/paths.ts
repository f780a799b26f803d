/** What stands before the path of every endpoint but the service root. */
export const apiPath = '/api/v1';

/** Where a package is read, with its name as one segment. */
export const packagePath = `${apiPath}/packages/{name}` as const;
