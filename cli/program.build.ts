import { bundleProgram } from './build.ts';

/** The command line in one file, as the registry hands it out: of the same release, whatever lies in dist. */
export default (await bundleProgram()).text;
