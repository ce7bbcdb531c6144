// Loaded into a process of a model (NODE_OPTIONS): a photograph that is one flat magenta crashes it, as a fault of a native library would.
const { EventEmitter } = require('node:events');
const isPoison = ({ rgb } = {}) => rgb?.length > 0 && [0, 1, 2].every((i) => Math.abs(rgb[i] - [255, 0, 255][i]) < 12);
if (process.argv[1]?.includes('model-process')) {
  const { emit } = EventEmitter.prototype;
  process.emit = function (event, message, ...rest) {
    if (event === 'message' && message?.images?.some(isPoison)) process.abort();
    return emit.call(this, event, message, ...rest);
  };
}
