/**
 * The oldest release of Node.js that the command line and the client run on: major and minor. From it on, CommonJS can
 * `require` the client, which is an ES module: https://nodejs.org/api/modules.html#loading-ecmascript-modules-using-require
 */
export const oldestNode = [20, 19] as const;
