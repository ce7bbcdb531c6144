// The files of the guide, so that both show the same.
import java from '../../../../../docs/guide/examples/signatures/Callbacks.java?raw';
import javascript from '../../../../../docs/guide/examples/signatures/signature.mjs?raw';
import python from '../../../../../docs/guide/examples/signatures/signature.py?raw';

/** How a receiver verifies a callback, with the standard library of each language. */
export const SIGNATURE_SAMPLES = { JavaScript: javascript, Python: python, Java: java } as const;
