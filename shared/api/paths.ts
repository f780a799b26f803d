/** The path of a package, with its name as one segment. */
export const packagePath = '/api/v1/packages/{name}';
