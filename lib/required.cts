// What `require('varwire')` loads: one sentence that says how to import ES modules.
throw new Error("varwire is made of ES modules: use import, or in CommonJS `const varwire = await import('varwire')`");
