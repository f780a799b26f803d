import { bundleProgram } from './build.ts';

/** The command line in one file, as the registry serves it: built from the sources of this release, not from dist. */
export default (await bundleProgram()).text;
