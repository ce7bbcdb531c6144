// Loaded into a service (NODE_OPTIONS). Its clock is ahead by the milliseconds in the file SOAK_CLOCK, and follows the file while it runs.
const { readFileSync } = require('node:fs');
const Real = Date;
const realNow = Date.now;
let aheadMs = 0;
const look = () => {
  try {
    aheadMs = Number(readFileSync(process.env.SOAK_CLOCK, 'utf8'));
  } catch {
    aheadMs = 0;
  }
};
look();
setInterval(look, 200).unref();
Real.now = () => realNow() + aheadMs;
globalThis.Date = new Proxy(Real, {
  construct: (target, values, newTarget) => Reflect.construct(target, values.length > 0 ? values : [Real.now()], newTarget),
  apply: () => new Real(Real.now()).toString(),
});
Real.prototype.constructor = globalThis.Date;
