node find.mjs
