module duka.example/duka

go 1.19
