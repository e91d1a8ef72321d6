#!/bin/sh
# Stands before the compiler (RUSTC_WORKSPACE_WRAPPER) and has it count the branches of our crates:
# a byte an edge, and a table of their addresses. The engine itself is not counted, nor are build
# scripts, which no engine runs; other people's crates never come here, and are shared with
# ordinary builds.
case " $* " in
  *" --crate-name kinwood_fuzz "*|*" --crate-name build_script"*) exec "$@" ;;
  *" --crate-name kinwood"*)
    exec "$@" -C passes=sancov-module \
      -C llvm-args=-sanitizer-coverage-level=3 \
      -C llvm-args=-sanitizer-coverage-inline-8bit-counters \
      -C llvm-args=-sanitizer-coverage-pc-table ;;
  *) exec "$@" ;;
esac
