"""The tests. A folder whose tests share processes is a package too: pytest ends the processes of a
fixture with `scope="package"` after the last test of that package."""
