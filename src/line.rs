//! One slider: hyperbola quintessence along its lines, without tables, in `const` if need be.
