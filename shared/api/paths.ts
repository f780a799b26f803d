/** Path of a package. The package's name is one segment. */
export const packagePath = '/api/v1/packages/{name}';
