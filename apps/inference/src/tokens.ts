/** The client of the assets service. */
export const ASSETS = Symbol('ASSETS');
