node create.mjs
